import Testing

@testable import Domain

@Suite struct CategoryTests {
    @Test func theTreeIsWhole() {
        let keys = CategoryTemplate.all.map(\.key)
        #expect(Set(keys).count == keys.count)
        for (index, template) in CategoryTemplate.all.enumerated() {
            if let parent = template.parent {
                #expect(keys[..<index].contains(parent), "\(template.key) stands behind its parent")
            }
            #expect(!template.german.isEmpty && !template.english.isEmpty)
        }
    }

    @Test func everyCategoryOfTheWordListIsInTheTree() {
        for (word, category) in Vocabulary.german.goods {
            #expect(CategoryTemplate.template(category) != nil, "\(word): \(category)")
        }
    }

    @Test func linesThatAreNoGoodsGoByTheirKind() {
        #expect(CategoryTemplate.guess(name: "LEERGUT", kind: .depositReturn)?.key == "deposit")
        #expect(CategoryTemplate.guess(name: "MILCH", kind: .discount) == nil)
        #expect(CategoryTemplate.guess(name: "H-MILCH 3,5%")?.german == "Milchprodukte & Eier")
        #expect(CategoryTemplate.guess(name: "Qwrtz") == nil)
    }
}
