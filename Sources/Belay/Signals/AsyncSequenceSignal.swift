#if !hasFeature(Embedded)
  extension Signal where Value: Sendable {
    /// The elements of an asynchronous sequence: each subscription iterates it in a task of its own,
    /// which is cancelled when the subscription ends.
    ///
    /// The sequence's end completes; what it throws is the error (`Failure.underlying`, unless it
    /// is a `Failure` already); a `CancellationError` interrupts. Events come at the subscription's
    /// home if that has a loop, where as many may wait as its queue holds (then the error `.again`),
    /// else on the task's thread, one at a time.
    ///
    /// - Parameter priority: the tasks'; nil: that of the thread or task that subscribes.
    public static func from<Elements: AsyncSequence & Sendable>(
      _ elements: Elements, priority: TaskPriority? = nil
    ) -> Signal<Value> where Elements.Element == Value {
      var options = SourceOptions(label: "from")
      options.isShared = true
      options.prefersHops = true
      return .create(options) { subscriber in
        let task = Task(priority: priority) { await send(elements, to: subscriber) }
        return AnonymousDisposable { task.cancel() }
      }
    }

    private static func send<Elements: AsyncSequence & Sendable>(
      _ elements: Elements, to subscriber: Subscriber<Value>
    ) async where Elements.Element == Value {
      do {
        for try await element in elements {
          let code = subscriber.next(element)
          if code == .again {
            // A gap would go unseen; an end does not.
            subscriber.error(Failure(code, message: "the queue of the subscription was full"))
          }
          if code.isFailure { return }
        }
        subscriber.completed()
      } catch let failure as Belay.Failure {
        subscriber.error(failure)
      } catch is CancellationError {
        // The last reference goes without an end.
      } catch {
        subscriber.error(Failure(error))
      }
    }
  }
#endif
