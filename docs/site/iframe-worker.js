/* Lets the search work in pages that are opened as files, where a browser starts no worker: the worker's script runs
   in a hidden frame. */
class FrameWorker extends EventTarget {
  #inner;
  #waiting = [];

  constructor(url) {
    super();
    const frame = document.createElement("iframe");
    frame.hidden = true;
    document.body.append(frame);
    this.#inner = frame.contentWindow;
    this.#inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
    const script = this.#inner.document.createElement("script");
    script.src = url;
    script.onload = () => {
      const waiting = this.#waiting;
      this.#waiting = null;
      for (const data of waiting) this.postMessage(data);
    };
    this.#inner.document.body.append(script);
  }

  postMessage(data) {
    if (this.#waiting) this.#waiting.push(data);
    else this.#inner.dispatchEvent(new MessageEvent("message", { data }));
  }
}

if (location.protocol === "file:") window.Worker = FrameWorker;
