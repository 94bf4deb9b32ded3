/// The tags of identifiers. The enums have no cases, because they are never instantiated.
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
    package enum BankPair {}
    package enum ExchangeRate {}
    package enum RuleRun {}
    package enum SavingsGoal {}
    package enum SavingsDeposit {}
    package enum Wine {}
    package enum WineBottle {}
    package enum WineScan {}
    package enum WineTable {}
}

/// A household. The first column of every row of a household; row-level security compares it.
package typealias HouseholdID = Identifier<IdentifierTag.Household>
/// A person's account, the same in all households of the person.
package typealias PersonID = Identifier<IdentifierTag.Person>
/// An invitation to join or to set up a household. Not the secret in its link.
package typealias InvitationID = Identifier<IdentifierTag.Invitation>
/// A signed-in browser. Not the secret in its cookie.
package typealias SessionID = Identifier<IdentifierTag.Session>
/// A receipt. Assigned at upload, before the receipt is read.
package typealias ReceiptID = Identifier<IdentifierTag.Receipt>
package typealias ReceiptLineID = Identifier<IdentifierTag.ReceiptLine>
package typealias ProductID = Identifier<IdentifierTag.Product>
/// A printed name of one chain that is matched to a product.
package typealias AliasID = Identifier<IdentifierTag.Alias>
/// A printed name of one chain that is not a product.
package typealias IgnoredNameID = Identifier<IdentifierTag.IgnoredName>
/// Printed names that one request matched to products. The matches can be undone together.
package typealias MatchingBatchID = Identifier<IdentifierTag.MatchingBatch>
/// A store. The same store has another identifier in another household.
package typealias StoreID = Identifier<IdentifierTag.Store>
/// A chain. Derived from its name, so the same in every household.
package typealias ChainID = Identifier<IdentifierTag.Chain>
package typealias CategoryID = Identifier<IdentifierTag.Category>
/// A comparison group: products of several chains that are the same thing.
package typealias ComparisonGroupID = Identifier<IdentifierTag.ComparisonGroup>
/// The price of a product in a store on a day.
package typealias PriceID = Identifier<IdentifierTag.Price>
/// Stored bytes: an upload or a picture.
package typealias BlobID = Identifier<IdentifierTag.Blob>
/// An uploaded file. Kept after its bytes are deleted, to recognise the same file.
package typealias FileID = Identifier<IdentifierTag.File>
/// An upload in parts. Chosen by the browser, so that a repeated request continues the same upload.
package typealias UploadID = Identifier<IdentifierTag.Upload>
/// A background job. Not tied to a household: a job is looked up before its household is known.
package typealias JobID = Identifier<IdentifierTag.Job>
/// A write operation. A client can repeat a request with the same identifier without writing twice.
package typealias OperationID = Identifier<IdentifierTag.Operation>
/// A key of the API. Not the secret text.
package typealias KeyID = Identifier<IdentifierTag.Key>
/// An address that receives the events of a household.
package typealias WebhookID = Identifier<IdentifierTag.Webhook>
/// A message to a webhook. The receiver recognises repeated messages by the identifier.
package typealias DeliveryID = Identifier<IdentifierTag.Delivery>
/// An expense without a receipt, or the values that a household adds to a receipt. Lists of expenses and receipts also
/// use this type for the identifiers of receipts.
package typealias ExpenseID = Identifier<IdentifierTag.Expense>
package typealias BudgetID = Identifier<IdentifierTag.Budget>
/// A payment between two members.
package typealias SettlementID = Identifier<IdentifierTag.Settlement>
package typealias ExpenseRuleID = Identifier<IdentifierTag.ExpenseRule>
package typealias RecurringExpenseID = Identifier<IdentifierTag.RecurringExpense>
/// A bank's file that was imported or waits for a person's decision.
package typealias BankImportID = Identifier<IdentifierTag.BankImport>
package typealias ExchangeRateID = Identifier<IdentifierTag.ExchangeRate>
package typealias BankBookingID = Identifier<IdentifierTag.BankBooking>
/// A decision about the expense of a bank's file and another entry of the same amount.
package typealias BankPairID = Identifier<IdentifierTag.BankPair>
/// One application of a rule to earlier expenses, which can be undone as a whole.
package typealias RuleRunID = Identifier<IdentifierTag.RuleRun>
package typealias SavingsGoalID = Identifier<IdentifierTag.SavingsGoal>
package typealias SavingsDepositID = Identifier<IdentifierTag.SavingsDeposit>
/// A wine of one vintage. A wine of the operator's catalogue has the same identifier in every household.
package typealias WineID = Identifier<IdentifierTag.Wine>
/// Bottles of one purchase in one place.
package typealias WineBottleID = Identifier<IdentifierTag.WineBottle>
/// A wine list that a member saved.
package typealias WineScanID = Identifier<IdentifierTag.WineScan>
/// A table of wines that waits to be imported.
package typealias WineTableID = Identifier<IdentifierTag.WineTable>
