import Belay
import BelayTesting
import Testing

extension CoreTests {
  /// Drawings of runs, as text and as SVG.
  @Suite struct Drawings {
    @Test func diagramsMarksAndABox() throws {
      let drawing = MarbleDrawing()
      #expect(drawing.add(.next, at: .zero, "a") == .notFound)
      drawing.define("x", "<&\">")
      try drawing.diagram("a", "--x--|")
      drawing.box("map")
      drawing.row("b")
      #expect(drawing.add(.next, at: .milliseconds(2), "10") == .ok)
      drawing.add(.error, at: .milliseconds(5), "gone")
      #expect(
        drawing.text == """
          1ms    2     5
          a    --{<&">}|
               [ map ]
          b    --{10}--#  # = gone

          """)
      let svg = drawing.svg
      #expect(svg.contains(">&lt;&amp;&quot;&gt;</text>"))
      #expect(svg.hasPrefix("<svg xmlns='http://www.w3.org/2000/svg' "))
      #expect(svg.hasSuffix("</svg>\n"))
    }

    @Test func aMalformedDiagramDrawsNothing() {
      let drawing = MarbleDrawing()
      #expect(throws: Failure.self) { try drawing.diagram("a", "-(") }
      #expect(drawing.text == "1ms\n")
    }

    @Test func recordedSubscriptionsAreDrawn() {
      let time = VirtualScheduler()
      let drawing = MarbleDrawing(frame: .seconds(1))
      let ticks = Signal<UInt64>.interval(.seconds(2), on: time).take(2)
        .drawn(in: drawing, "ticks", on: time)
      ticks.subscribe()
      time.advance(by: .seconds(3))
      let second = ticks.subscribe()
      time.advance(by: .seconds(2))
      second.dispose()
      #expect(
        drawing.text == """
          1s     0 2 4   5
          ticks  --0-(1|)
                 ^---!
          ticks  --------0
                 ---^----!

          """)
    }

    @Test func aTimeThatNobodyReachesIsDrawn() {
      let drawing = MarbleDrawing(frame: .nanoseconds(1))
      drawing.row("a")
      drawing.add(.next, at: .nanoseconds(Int64.max), "1")
      #expect(
        drawing.text == "1ns                                9223372036854775806\na    "
          + String(repeating: "-", count: 30) + "1\n")
    }
  }
}
