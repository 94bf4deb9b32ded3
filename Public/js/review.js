// review
