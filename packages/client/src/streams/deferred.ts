/** A promise that is settled from outside. Nobody needs to wait for it: a failure that no one hears is none. */
export interface Deferred<Value> {
	readonly promise: Promise<Value>;
	resolve(value: Value): void;
	reject(error: unknown): void;
}

export function createDeferred<Value>(): Deferred<Value> {
	let resolve: (value: Value) => void = () => {};
	let reject: (error: unknown) => void = () => {};
	const promise = new Promise<Value>((onValue, onError) => {
		resolve = onValue;
		reject = onError;
	});
	promise.catch(() => undefined);
	return { promise, resolve, reject };
}
