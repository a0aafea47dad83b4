# Edits the LLVM IR of the last module: nothing is taken out (outline.awk, LLVM's machine outliner) of the
# functions that an event, a subscription or its end passes through, so that no call is on their way which only
# an outliner has made. Benchmarks/instructions.sh and Tests/Package/emit_path.sh tell what is missing here.
#
# All functions of these types. Of Signal: not those that make an operator's signal and, for a subscription, its stage,
# which allocate objects in any case, but what such a closure makes, to which values come. Of a loop: what a turn does.
/^define .*@"?\$e5Belay(4Home|4Link|4Lock|4Sink|5Batch|5Input|5Stage|6SignalC(4emit|4post|5start|7connect|8homeHere|16subscriptionHome|fD)|6Signal[^"]*fU[0-9]*_[^"]*fU[0-9]*_|6Source|7Emitter|7Mailbox|7Message|8Delivery|8Disposal|8Junction|8SlotHook|9AnySignalC(ACyc|f[dD])|9Lifecycle|10Disposable|10JustSignal|10QueuedHome|10SharedHome|10SinkBuffer|10Subscriber|10ThreadHome|11ColdEmitter|11LastFailure|11MemberTable|12CompoundCore|12CreateSignal|12IndexedInput|12MessageQueue|12Subscription|13PendingEvents|14AsymmetricLock|14PublishSubject|15FlattenJunction|19ForeignSubscription)/s/ (#[0-9]+) (\{|comdat|align|section)/ \1 "nooutline" \2/
/^define .*@"?\$e(5Belay(11OwnerRecordC13releaseHandle|18CompoundDisposableC11takeContent)|8BelayABI(10plainOwner|11observation|12FullObserver|12NextObserver|13NamedObserver|12CreatedOwner|13CPostedAction|4post|8combiner|19ForeignCreateSignal|5start|9subscribe)|9BelayLoop0B(4CoreC(2uv[^"]*U[0-9]*_|3arm|3now|5bound|5rearm|5woken|6disarm|7endHold|7hasMail|7isAlive|8dispatch|8timeIsUp|9beginHold|9hasWaited|9needsTurn|9turnBegan|10delayStart|10timeForAll|11aboutToWait|11holdForTurn|11setPollable|14backendTimeout|15refreshPollable|22seeTo)|4PostC|4UserC(4post|6isOpen)))/s/ (#[0-9]+) (\{|comdat|align|section)/ \1 "nooutline" \2/
# What a timer that fires passes through, and a call of a function that is intercepted.
/^define .*@"?\$e(5Belay(4Work(C3run|C4free|Cfd)|9TimerList[^"]*V6append|10TimerQueueC(3run|6insert|8popFirst)|10Invocation(C7proceed|Cy|CfD)|10MethodSlotCy[^"]*cfcySvSg_AH)|8BelayABI(5CWorkC7perform|7handOut|11interceptor)|9BelayLoop0B4UserC4fire)/s/ (#[0-9]+) (\{|comdat|align|section)/ \1 "nooutline" \2/
# What any other stage, junction, source or observer does with a value.
/^define .*@"?\$e[^"]*(Stage|Junction|Input|Subscription|Emitter|Subject|Observer|Gate)[^"]*C[^"]*(4next|6handle|4send|6accept|7deliver|9innerNext)/s/ (#[0-9]+) (\{|comdat|align|section)/ \1 "nooutline" \2/
# What calls C's function of an operator: not the functions that make a signal of an operator.
/^define .*@"?\$e8BelayABI8Operator[^"]*"?\(/{
  /8OperatorC((5apply|7windows)[^"]*_tF"|3all|11connectable|11dropSignals|[fy][^"]*[cCdD]")/!s/ (#[0-9]+) (\{|comdat|align|section)/ \1 "nooutline" \2/
}
# The functions that C calls.
/^define .*@belay_(value_get_[a-z0-9]+|subject_next|subscriber_next|subscriber_completed|signal_create|signal_just|signal_subscribe|signal_retain|signal_release|disposable_dispose|disposable_release|loop_post|scheduler_after|invocation_proceed|owner_create|owner_release|owner_add_action)\(/s/ (#[0-9]+) (\{|comdat|align|section)/ \1 "nooutline" \2/
# The shim's inline functions, and what the runtime calls for an object that goes.
/^define .*@(belay_shim_[a-z_]+|object_destroy)\(/s/ (#[0-9]+) (\{|comdat|align|section)/ \1 "nooutline" \2/
# Not what only tells of them, gives up, or waits for many.
/"nooutline"/{
  /@"?\$e5Belay[^"]*(5stack|7abandon|7runners|8describe|9chainName|10reportName|11livingCount|11loseWaiting|12addedNotably|13forEachMember|13refuseWaiting|15forEachResident|18interruptResidents|13holdsMessages)/s/ "nooutline"//
}
