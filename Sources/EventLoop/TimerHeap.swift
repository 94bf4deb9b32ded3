/// A binary heap of timers by deadline. A cancelled timer is removed when it becomes due. All cancelled timers are
/// removed when the heap has become large.
struct TimerHeap {
    private var heap: [LoopTimer] = []
    private var compactAt = 1024

    var next: Int64? { heap.first?.deadline }

    mutating func add(at deadline: Int64, _ handler: @escaping () -> Void) -> LoopTimer {
        if heap.count >= compactAt {
            heap.removeAll { $0.handler == nil }
            heap.sort { $0.deadline < $1.deadline }  // a sorted array is a heap
            compactAt = max(1024, heap.count * 2)
        }
        let timer = LoopTimer(deadline: deadline, handler: handler)
        heap.append(timer)
        siftUp(heap.count - 1)
        return timer
    }

    /// Removes and returns the timers that are due, in order. The caller fires them, because their handlers may add
    /// timers to the heap.
    mutating func takeDue(at now: Int64) -> [LoopTimer] {
        guard let next, next <= now else { return [] }
        var due: [LoopTimer] = []
        while let timer = heap.first, timer.deadline <= now {
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
            siftDown(0)
            due.append(timer)
        }
        return due
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].deadline < heap[parent].deadline else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].deadline < heap[smallest].deadline {
                smallest = child
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
