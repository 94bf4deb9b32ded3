/// A page bound to its models. Each name is replaced by a closure that reads its value, and by the slot that holds the
/// pointer to the closure's model.
struct Program: Sendable {
    enum Operation: Sendable {
        case literal([UInt8])
        case write(slot: Int, Field.Write)
        case when(slot: Int, Field.Test, is: Bool, [Operation])
        case each(slot: Int, Field.Visit, inner: Int, [Operation])
        /// Runs the routine of a partial that contains itself.
        case call(Int)
    }

    var operations: [Operation] = []
    var routines: [[Operation]] = []
    /// The number of slots. Models of the same type share a slot, because the inner one hides the outer one.
    var slots = 0
    /// The slot of the page's model. The layout's model has slot 0; both share it if they have the same type.
    var modelSlot = 0
}

extension Program {
    /// The state of one rendering. The pointers in `models` are valid until the rendering ends.
    struct Run {
        let routines: [[Operation]]
        let models: UnsafeMutablePointer<UnsafeRawPointer>
        var depth = 0

        mutating func run(_ operations: [Operation], _ output: inout Output) {
            for operation in operations {
                switch operation {
                case .literal(let bytes): output.write(bytes)
                case .write(let slot, let write): write(models[slot], &output)
                case .when(let slot, let test, let expected, let body):
                    if test(models[slot]) == expected { run(body, &output) }
                case .each(let slot, let visit, let inner, let body):
                    let hidden = models[inner]
                    visit(models[slot]) { model in
                        models[inner] = model
                        run(body, &output)
                    }
                    models[inner] = hidden
                case .call(let number):
                    guard depth < ValueRenderer.depthLimit else { continue }
                    depth += 1
                    run(routines[number], &output)
                    depth -= 1
                }
            }
        }
    }

    func render<Model, Layout>(_ model: Model, layout: Layout, capacity: Int) -> [UInt8] {
        var output = Output(capacity: capacity)
        withUnsafePointer(to: layout) { layout in
            withUnsafePointer(to: model) { model in
                withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: slots) { models in
                    // The slots of inner models are set before they are read, so any valid pointer can initialise them.
                    models.initialize(repeating: UnsafeRawPointer(model))
                    guard let first = models.baseAddress else { return }
                    first[0] = UnsafeRawPointer(layout)
                    first[modelSlot] = UnsafeRawPointer(model)
                    var run = Run(routines: routines, models: first)
                    run.run(operations, &output)
                }
            }
        }
        return output.bytes
    }
}
