/// What identifiers name; the cases of these enums are never made, they are types only.
package enum HouseholdTag {}
/// An account.
package enum PersonTag {}
/// An invitation to a household, or the set-up of the first one.
package enum InvitationTag {}
/// A browser that is signed in.
package enum SessionTag {}
/// A receipt, whatever became of it.
package enum ReceiptTag {}
/// A line of a receipt.
package enum ReceiptLineTag {}
/// A product of one chain.
package enum ProductTag {}
/// A printed name that means a product.
package enum AliasTag {}
/// A printed name that is no product.
package enum IgnoredNameTag {}
/// A shop.
package enum StoreTag {}
/// A chain of shops.
package enum ChainTag {}
/// A category of a household.
package enum CategoryTag {}
/// Products of several chains that are one good.
package enum ComparisonGroupTag {}
/// What one product cost once.
package enum PriceTag {}
/// Stored bytes: an upload or a picture.
package enum BlobTag {}
/// An uploaded file.
package enum FileTag {}
/// Work that outlives a request.
package enum JobTag {}
/// One write, so that it is never done twice.
package enum OperationTag {}

/// What every row of a household begins with; row-level security compares it.
package typealias HouseholdID = Identifier<HouseholdTag>
/// The same in every household that the person belongs to.
package typealias PersonID = Identifier<PersonTag>
/// Not the secret of its link.
package typealias InvitationID = Identifier<InvitationTag>
/// Not the secret of its cookie.
package typealias SessionID = Identifier<SessionTag>
/// Given before anything is read, and kept whatever is corrected.
package typealias ReceiptID = Identifier<ReceiptTag>
/// Prices name the line they come from by it.
package typealias ReceiptLineID = Identifier<ReceiptLineTag>
/// A household's own, for what one chain sells.
package typealias ProductID = Identifier<ProductTag>
/// One for each printed name of each chain in a household.
package typealias AliasID = Identifier<AliasTag>
/// One for each printed name of each chain in a household.
package typealias IgnoredNameID = Identifier<IgnoredNameTag>
/// A household's own; the same shop has another in another household.
package typealias StoreID = Identifier<StoreTag>
/// Equal for whatever is printed as one chain.
package typealias ChainID = Identifier<ChainTag>
/// A household's own, also where it began as a template.
package typealias CategoryID = Identifier<CategoryTag>
/// A household's own; the rows of the comparison.
package typealias ComparisonGroupID = Identifier<ComparisonGroupTag>
/// One for each time a price was seen or written down.
package typealias PriceID = Identifier<PriceTag>
/// Its bytes lie in chunks under it.
package typealias BlobID = Identifier<BlobTag>
/// Stays when the bytes are gone, to recognise the file.
package typealias FileID = Identifier<FileTag>
/// Given out across households: a job is found before its household is known.
package typealias JobID = Identifier<JobTag>
/// Drawn anew for each write; kept while the same write may still be sent again.
package typealias OperationID = Identifier<OperationTag>
