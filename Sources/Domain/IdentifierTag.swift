/// The types that identifiers are tagged with. The enums have no cases: they are never made.
package enum IdentifierTag {
    package enum Household {}
    package enum Person {}
    package enum Invitation {}
    package enum Session {}
    package enum Receipt {}
    package enum ReceiptLine {}
    package enum Product {}
    package enum Alias {}
    package enum IgnoredName {}
    package enum MatchingBatch {}
    package enum Store {}
    package enum Chain {}
    package enum Category {}
    package enum ComparisonGroup {}
    package enum Price {}
    package enum Blob {}
    package enum File {}
    package enum Upload {}
    package enum Job {}
    package enum Operation {}
    package enum Key {}
    package enum Webhook {}
    package enum Delivery {}
    package enum Expense {}
    package enum Budget {}
    package enum Settlement {}
    package enum ExpenseRule {}
    package enum RecurringExpense {}
    package enum BankImport {}
    package enum BankBooking {}
    package enum RuleRun {}
    package enum SavingsGoal {}
    package enum SavingsDeposit {}
    package enum Wine {}
    package enum WineBottle {}
    package enum WineScan {}
    package enum WineTable {}
}

/// The first column of every row of a household; row-level security compares it.
package typealias HouseholdID = Identifier<IdentifierTag.Household>
/// An account. The same in every household of that person.
package typealias PersonID = Identifier<IdentifierTag.Person>
/// An invitation to a household, or to set one up. Not the secret of its link.
package typealias InvitationID = Identifier<IdentifierTag.Invitation>
/// A browser that is signed in. Not the secret of its cookie.
package typealias SessionID = Identifier<IdentifierTag.Session>
/// Assigned at upload, before anything is read.
package typealias ReceiptID = Identifier<IdentifierTag.Receipt>
package typealias ReceiptLineID = Identifier<IdentifierTag.ReceiptLine>
package typealias ProductID = Identifier<IdentifierTag.Product>
/// A printed name of one chain that is bound to a product.
package typealias AliasID = Identifier<IdentifierTag.Alias>
/// A printed name of one chain that is no product.
package typealias IgnoredNameID = Identifier<IdentifierTag.IgnoredName>
/// Printed names that were matched by one tap, and are undone together.
package typealias MatchingBatchID = Identifier<IdentifierTag.MatchingBatch>
/// A shop. The same shop has another identifier in another household.
package typealias StoreID = Identifier<IdentifierTag.Store>
/// Derived from the chain's name, so equal in every household.
package typealias ChainID = Identifier<IdentifierTag.Chain>
package typealias CategoryID = Identifier<IdentifierTag.Category>
/// Products of several chains that are one good: a row of the comparison.
package typealias ComparisonGroupID = Identifier<IdentifierTag.ComparisonGroup>
/// What one product cost on one day in one store.
package typealias PriceID = Identifier<IdentifierTag.Price>
/// Stored bytes: an upload or a picture.
package typealias BlobID = Identifier<IdentifierTag.Blob>
/// An uploaded file. Kept after the bytes are deleted, to recognise the file.
package typealias FileID = Identifier<IdentifierTag.File>
/// A file that arrives in parts. Chosen by the browser, so that a repeated request finds the same upload.
package typealias UploadID = Identifier<IdentifierTag.Upload>
/// Work that outlives a request. Global: a job is found before its household is known.
package typealias JobID = Identifier<IdentifierTag.Job>
/// One write. Lets a client repeat a request without writing twice.
package typealias OperationID = Identifier<IdentifierTag.Operation>
/// A key of the API. Not the secret text.
package typealias KeyID = Identifier<IdentifierTag.Key>
/// An address that receives the events of a household.
package typealias WebhookID = Identifier<IdentifierTag.Webhook>
/// One message to a webhook; the receiver recognises repeated ones by it.
package typealias DeliveryID = Identifier<IdentifierTag.Delivery>
/// An expense without paper, or what a receipt does not say about itself. In lists of both, also the receipt's own.
package typealias ExpenseID = Identifier<IdentifierTag.Expense>
package typealias BudgetID = Identifier<IdentifierTag.Budget>
/// A payment between two members.
package typealias SettlementID = Identifier<IdentifierTag.Settlement>
package typealias ExpenseRuleID = Identifier<IdentifierTag.ExpenseRule>
package typealias RecurringExpenseID = Identifier<IdentifierTag.RecurringExpense>
/// A bank's file that waits for a decision, or was imported.
package typealias BankImportID = Identifier<IdentifierTag.BankImport>
package typealias BankBookingID = Identifier<IdentifierTag.BankBooking>
/// One application of a rule to earlier expenses, which is undone as a whole.
package typealias RuleRunID = Identifier<IdentifierTag.RuleRun>
package typealias SavingsGoalID = Identifier<IdentifierTag.SavingsGoal>
package typealias SavingsDepositID = Identifier<IdentifierTag.SavingsDeposit>
/// A wine of one vintage. The operator's wines have the same identifier in every household.
package typealias WineID = Identifier<IdentifierTag.Wine>
/// Bottles of one purchase in one place.
package typealias WineBottleID = Identifier<IdentifierTag.WineBottle>
/// A wine list that a member saved.
package typealias WineScanID = Identifier<IdentifierTag.WineScan>
/// A table of wines that waits to be imported.
package typealias WineTableID = Identifier<IdentifierTag.WineTable>
