"""hello: a window listens to numbers, and a timer closes the window."""

from libbelay import Loop, Subject, timer


class Window:
    def show(self, number: int) -> None:
        print("window sees", number)

    def __del__(self) -> None:
        print("window is closed")


def main() -> None:
    with Loop() as loop:
        numbers = Subject[int]()
        window = Window()
        squares = numbers.filter(lambda n: n % 2 == 0).map(lambda n: n * n)
        squares.subscribe(window.show, owner=window)

        def close(_: int) -> None:
            nonlocal window
            del window

        for n in range(1, 5):
            numbers.on_next(n)
        timer(0.1).subscribe(close)
        loop.run()  # the window goes, and its subscription with it
        print(numbers.subscriber_count, "are listening")


if __name__ == "__main__":
    main()
