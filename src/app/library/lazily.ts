type Operations<M> = M extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never;

/** Loads each part when it is first used, so that a command pays only for what it needs. */
export const lazily = <F>(load: () => Promise<F>): Operations<F> =>
  // The conditional type cannot follow a generic call.
  ((...args: readonly unknown[]) =>
    load().then((call) => (call as (...given: readonly unknown[]) => unknown)(...args))) as Operations<F>;
