import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct CategoryTests {
    @Test func `keys are unique, and parents precede their children`() {
        let keys = CategoryTemplate.all.map(\.key)
        #expect(Set(keys).count == keys.count)
        for (index, template) in CategoryTemplate.all.enumerated() {
            if let parent = template.parent {
                #expect(keys[..<index].contains(parent), "\(template.key) comes after its parent")
            }
            #expect(!template.german.isEmpty && !template.english.isEmpty)
        }
    }

    @Test func `every category in the word list exists`() {
        for (word, category) in Vocabulary.german.productWords {
            #expect(CategoryTemplate.template(category) != nil, "\(word): \(category)")
        }
    }

    @Test func `every category of ambiguous words and of brands exists, and every ambiguous word is a product word`() {
        let vocabulary = Vocabulary.german
        #expect(vocabulary.ambiguousWords.keys.contains("creme"))
        for (word, meanings) in vocabulary.ambiguousWords {
            #expect(vocabulary.productWords[word] != nil, "\(word)")
            for (deciding, category) in meanings {
                #expect(CategoryTemplate.template(category) != nil, "\(deciding): \(category)")
            }
        }
        let marks = vocabulary.brands.values.compactMap(\.category)
        #expect(!marks.isEmpty && marks.allSatisfy { CategoryTemplate.template($0) != nil })
    }

    @Test func `every category of the foreign products exists, and agrees with the German word list`() {
        let vocabulary = Vocabulary.german
        #expect(vocabulary.foreignProductWords.count > 700)
        for (phrase, category) in vocabulary.foreignProductWords {
            #expect(CategoryTemplate.template(category) != nil, "\(phrase): \(category)")
            let german = vocabulary.productWords[vocabulary.canonical[phrase] ?? phrase]
            #expect(german == nil || german == category, "\(phrase): \(category)")
        }
    }

    @Test func `the kind decides the category of lines that are not items`() {
        #expect(CategoryTemplate.guess(name: "LEERGUT", kind: .depositReturn)?.key == "deposit")
        #expect(CategoryTemplate.guess(name: "MILCH", kind: .discount) == nil)
        #expect(CategoryTemplate.guess(name: "H-MILCH 3,5%")?.german == "Milchprodukte & Eier")
        #expect(CategoryTemplate.guess(name: "Qwrtz") == nil)
    }
}
