/** A value with listeners, in the form that `useSyncExternalStore` takes. Active while somebody listens. */
export abstract class Store<State> {
  readonly #listeners = new Set<() => void>();
  #state: State;
  #stop: (() => void) | undefined;

  constructor(first: State) {
    this.#state = first;
  }

  readonly get = (): State => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#stop ??= this.start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  };

  /** Called with the first listener. @returns called when the last one has gone. */
  protected abstract start(): () => void;

  protected set(state: State): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}
