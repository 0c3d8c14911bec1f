/** A promise, and what settles it. */
export interface Deferred<Value> {
	readonly promise: Promise<Value>;
	resolve(value: Value): void;
	reject(error: unknown): void;
}

export function createDeferred<Value = void>(): Deferred<Value> {
	let settle: Pick<Deferred<Value>, "resolve" | "reject"> | undefined;
	const promise = new Promise<Value>((resolve, reject) => {
		settle = { resolve, reject };
	});
	// It may be awaited later, or by no one.
	promise.catch(() => undefined);
	return {
		promise,
		resolve: (value) => settle?.resolve(value),
		reject: (error) => settle?.reject(error),
	};
}
