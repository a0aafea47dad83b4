public enum Refusal: Error { case refused }

open class Node { public init() {} }
