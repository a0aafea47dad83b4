/// Text in UTF-8.
public typealias Text = String
