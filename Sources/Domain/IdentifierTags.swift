/// What identifiers name; the cases of these enums are never made, they are types only.
package enum HouseholdTag {}
package enum PersonTag {}
package enum InvitationTag {}
package enum SessionTag {}
package enum ReceiptTag {}
package enum ReceiptLineTag {}
package enum ProductTag {}
package enum AliasTag {}
package enum IgnoredNameTag {}
package enum StoreTag {}
package enum ChainTag {}
package enum CategoryTag {}
package enum ComparisonGroupTag {}
package enum PriceTag {}
package enum BlobTag {}
package enum FileTag {}
package enum JobTag {}
package enum OperationTag {}

package typealias HouseholdID = Identifier<HouseholdTag>
package typealias PersonID = Identifier<PersonTag>
package typealias InvitationID = Identifier<InvitationTag>
package typealias SessionID = Identifier<SessionTag>
package typealias ReceiptID = Identifier<ReceiptTag>
package typealias ReceiptLineID = Identifier<ReceiptLineTag>
package typealias ProductID = Identifier<ProductTag>
package typealias AliasID = Identifier<AliasTag>
package typealias IgnoredNameID = Identifier<IgnoredNameTag>
package typealias StoreID = Identifier<StoreTag>
package typealias ChainID = Identifier<ChainTag>
package typealias CategoryID = Identifier<CategoryTag>
package typealias ComparisonGroupID = Identifier<ComparisonGroupTag>
package typealias PriceID = Identifier<PriceTag>
package typealias BlobID = Identifier<BlobTag>
package typealias FileID = Identifier<FileTag>
package typealias JobID = Identifier<JobTag>
package typealias OperationID = Identifier<OperationTag>
