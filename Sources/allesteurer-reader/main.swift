runReader()
