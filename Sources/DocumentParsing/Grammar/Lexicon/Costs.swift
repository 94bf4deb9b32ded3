/// What a reading costs, in hundredths of a natural logarithm: 230 more is about ten times less likely.
///
/// All weights of the grammar are here, so that they can be compared. Only their order and rough distances matter.
enum Costs {
    // MARK: Readings of one amount

    /// The engine is sure of the word as it was read.
    static let sure = 0
    /// An amount whose comma, sign or digits had to be guessed from damaged print.
    static let damaged = 120
    /// The engine offers it beside what it read.
    static let offered = 260
    /// A second look at the same place shows it.
    static let reread = 90
    /// What the first engine read, which gives no costs, where the second reads something else.
    static let first = 150
    /// A value that one of two engines does not offer at all.
    static let unseen = 480
    /// The comma was lost, all digits are as printed.
    static let separator = 160
    /// A sign was lost or dirt was taken for one, on a line whose words allow both.
    static let sign = 220
    /// Leading digits belong to what is printed before the amount.
    static let extraDigits = 320
    /// Letters that were read in place of digits.
    static let letters = 200
    /// One digit of a damaged amount was taken for its look-alike.
    static let lookAlike = 300
    /// A digit was not read at all; any of ten fits.
    static let missingDigit = 420
    /// Implied by quantity and unit price, not by the ink of the amount.
    static let product = 260
    /// Added to a confused digit of a word that the engine is sure of (confidence of 90 and more).
    static let againstSureWord = 260
    /// The same for a confidence of 75 and more.
    static let againstClearWord = 120

    // MARK: Lines

    /// A line of words without figures that belongs to no item.
    static let plainText = 25
    /// A line with figures that no pattern explains.
    static let unexplainedFigures = 140
    /// A quantity with a unit price that belongs to no item.
    static let loneQuantity = 420
    /// A name with an amount in the price column that is taken for no item.
    static let lostGood = 800
    /// The same where the amount had to be guessed.
    static let lostDamagedGood = 450
    /// The same where nothing of the amount could be read.
    static let lostUnreadGood = 560
    /// An amount without a name that belongs to nothing.
    static let loneAmount = 260
    /// A word of the total, the payment, the taxes or the card slip begins a line that is taken for an item.
    static let keyWord = 620
    /// The same for words of the head and foot, for times of opening and for days.
    static let headWord = 420
    /// The amount of an item does not end where the other amounts do.
    static let outsideColumn = 460
    /// An item without a name.
    static let nameless = 520
    /// An item without a tax class among items that have one, or the reverse.
    static let otherForm = 110
    /// An amount ten times the largest of the usual ones of this receipt.
    static let outlier = 240
    /// Name and amount, or name and quantity, on lines of their own.
    static let splitItem = 40
    /// A name with its quantity whose amount was not read: only worth it where the total lacks just that.
    static let lostAmount = 700
    /// Every line that is skipped inside an item.
    static let skippedLine = 30

    // MARK: Quantities

    /// Quantity and unit price make the amount: evidence for all three.
    static let productHolds = -260
    /// They do not.
    static let productFails = 360
    /// Added to `productFails` where one misread digit of the quantity explains it.
    static let misreadQuantity = -240
    /// A quantity on the other side of its item than the chain prints it.
    static let otherSide = 150

    /// A quantity above its item, where nothing tells on which side this till prints it.
    static let rareSide = 60

    // MARK: The total

    /// The lines add up to something else.
    static let sumDiffers = 1_400
    /// A line with a word of the total, and its amount alone.
    static let totalWord = -420
    static let weakTotalWord = -60
    /// A subtotal, or an amount without a word, that is taken for the total.
    static let subtotalAsTotal = 160
    static let bareTotal = 200
    /// No line of a total.
    static let noTotal = 420
    /// Nothing on the paper says a total.
    static let totalUnread = 1_250
    /// Another source (payments less change, tax table, card slip, code) says the same total, or another one.
    static let totalConfirmed = -240
    static let totalContradicted = 160
    /// A line that looks like an item below what is taken for the total.
    static let itemBelowTotal = 260
    /// The running sum is what a subtotal prints, or is not.
    static let subtotalHolds = -200
    static let subtotalFails = 120

    // MARK: Limits

    /// Another value takes the place of what was read, as a repair, only up to this cost.
    static let repair = 700

    /// A second reading of the whole receipt that costs no more than this beside the first leaves doubt.
    static let doubt = 60

    /// Hypotheses and readings that cost more are not looked at.
    static let ceiling = 1_300
}
