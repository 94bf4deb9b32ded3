/// Costs of readings, in hundredths of a natural logarithm: a reading that costs 230 more is about ten times less
/// likely.
///
/// All weights of the grammar are in one place so that they can be compared. Only their order and approximate
/// distances matter.
enum Costs {
    // MARK: Readings of one amount

    /// The engine is certain of the word.
    static let sure = 0
    /// An amount with a comma, a sign or digits that were guessed from damaged print.
    static let damaged = 120
    /// An alternative that the engine offers.
    static let offered = 260
    /// Added for each better alternative of the same word.
    static let rank = 40
    /// The value was found when the engine read the same area of the image again.
    static let reread = 90
    /// A value that the other engine read in a word without costs of its own.
    static let otherEngine = 150
    /// Added for a value that the other engine does not offer. Also the maximum that the other engine's cost can add.
    static let unseen = 480
    /// The comma was lost; all digits are as printed.
    static let separator = 160
    /// A sign was lost, or dirt was read as a sign. Used only if the words of the line allow both signs.
    static let sign = 220
    /// Leading digits belong to the text before the amount.
    static let extraDigits = 320
    /// Letters that were read in place of digits.
    static let letters = 200
    /// One digit of a damaged amount was misread as a similar one.
    static let lookAlike = 300
    /// Added when a digit is changed in an amount that was guessed from damaged print.
    static let misreadAndDamaged = 60
    /// A digit was not read; any of the ten is possible.
    static let missingDigit = 420
    /// The amount was computed from quantity and unit price instead of read.
    static let product = 260
    /// Added when a digit is changed in a word that the engine read with a confidence of 90 or more.
    static let againstSureWord = 260
    /// Added when a digit is changed in a word with a confidence of 75 to 89.
    static let againstClearWord = 120

    // MARK: Lines

    /// A line of words without figures that belongs to no item.
    static let plainText = 25
    /// A line with figures that no pattern explains.
    static let unexplainedFigures = 140
    /// A quantity with a unit price on a line that is assigned to no item.
    static let loneQuantity = 420
    /// A line with a name and an amount in the price column, not read as an item.
    static let lostItem = 800
    /// A line with a name and a guessed amount in the price column, not read as an item.
    static let lostDamagedItem = 450
    /// A line with a name and an unreadable amount in the price column, not read as an item.
    static let lostUnreadItem = 560
    /// An amount without a name that belongs to no item.
    static let loneAmount = 260
    /// A line that begins with a key word of the total, the payment, the taxes or the card slip, read as an item.
    static let keyWord = 620
    /// A line that begins with a key word of the head or foot, with opening hours or a day, read as an item.
    static let headWord = 420
    /// The amount of an item ends outside the price column.
    static let outsideColumn = 460
    /// An item without a name.
    static let nameless = 520
    /// An item without a tax class, where most items of the receipt have one.
    static let missingTaxClass = 110
    /// An amount of 0 without a tax class, or an amount above ten times the median amount of this receipt plus 10.00.
    static let outlier = 240
    /// Name and amount, or name and quantity, on separate lines.
    static let splitItem = 40
    /// A name with a quantity and no readable amount. The cost is so high that this reading is chosen only if quantity
    /// × unit price is the amount missing from the total.
    static let lostAmount = 700
    /// A figure with a percent sign on an item with a positive amount: rare in names, usual in tax rows.
    static let percentage = 60
    /// Each skipped line inside an item.
    static let skippedLine = 30

    // MARK: Quantities

    /// Quantity × unit price equals the amount, so each of the three figures confirms the others.
    static let productHolds = -260
    /// Quantity × unit price differs from the amount.
    static let productFails = 360
    /// Added to `productFails` if one misread digit of the quantity explains the difference.
    static let misreadQuantity = -240
    /// A quantity beside a name, read as a part of the name.
    static let quantityInName = 180
    /// A row of a table of weights without a legible weight.
    static let unreadQuantity = 120
    /// A quantity line below its item where this receipt or its chain prints it above, or the reverse.
    static let otherSide = 150

    /// A quantity line above its item, where it is not known whether the receipt prints quantities above or below.
    static let rareSide = 60

    // MARK: The total

    /// The sum of the lines differs from the total.
    static let sumDiffers = 1_400
    /// The line of the total has a key word of the total, or a less certain key word such as `Betrag`.
    static let totalWord = -420
    static let weakTotalWord = -60
    /// A subtotal, or an amount without a key word, read as the total.
    static let subtotalAsTotal = 160
    static let unnamedTotal = 200
    /// Added if the word before the amount is unknown. Only for receipts without a word for the total.
    static let misreadTotalWord = 120
    /// A line of the total, read as a subtotal.
    static let totalAsSubtotal = 150
    /// No line of the total was found. The items end at a word for the total without an amount, at the first payment or
    /// tax row, or at the last line.
    static let wordWithoutTotal = 220
    static let noTotal = 420
    static let noTotalAtAll = 520
    /// Neither the line of the total nor another source gives a total.
    static let totalUnread = 1_250
    /// Another source (payments less change, tax table, card slip, code) gives the same total, or a different one.
    static let totalConfirmed = -240
    static let totalContradicted = 160
    /// A line that looks like an item, below the line that is read as the total.
    static let itemBelowTotal = 260
    /// A printed subtotal equals the sum of the lines above it, or differs from it.
    static let subtotalHolds = -200
    static let subtotalFails = 120

    // MARK: Limits

    /// Maximum cost of a repair, which replaces the value that was read.
    static let repair = 700

    /// The result is doubtful if a second reading of the whole receipt costs at most this much more than the best one.
    static let doubt = 60

    /// Hypotheses and readings that cost more are dropped.
    static let ceiling = 1_300
}
