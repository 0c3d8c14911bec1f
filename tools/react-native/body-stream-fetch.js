// A `fetch` as `expo/fetch` is: it gives bodies in pieces of bytes. Made of a native module, and not of `XMLHttpRequest`.
import { DeviceEventEmitter, TurboModuleRegistry } from "react-native";

const native = TurboModuleRegistry.get("BodyStreams");
const requests = new Map();
let lastId = 0;

for (const event of ["Response", "Data", "End"])
	DeviceEventEmitter.addListener(`bodyStream${event}`, ([id, ...args]) =>
		requests.get(id)?.[`on${event}`](...args),
	);

/** With `hasBody: false`, answers come whole: as where neither `fetch` nor anything else can stream. */
export const createBodyStreamFetch =
	({ hasBody = true } = {}) =>
	(url, { method, headers, body, signal }) =>
		new Promise((resolve, reject) => {
			lastId += 1;
			const id = lastId;
			const pieces = createPieces(() => native.cancel(id));
			const fail = (error) => {
				requests.delete(id);
				reject(error);
				pieces.fail(error);
			};
			requests.set(id, {
				onResponse: (status, answered) => resolve(toResponse(status, answered, pieces, hasBody)),
				onData: (text) => pieces.push(Uint8Array.from(atob(text), (character) => character.charCodeAt(0))),
				onEnd: (message) => (message === null ? pieces.end() : fail(new TypeError(message))),
			});
			signal?.addEventListener("abort", () => {
				native.cancel(id);
				fail(Object.assign(new Error("Aborted"), { name: "AbortError" }));
			});
			native.send(id, url, JSON.stringify({ method, headers, body }));
		});

const toResponse = (status, headers, { read, cancel }, hasBody) => ({
	status,
	ok: status >= 200 && status < 300,
	headers: { get: (name) => headers[name.toLowerCase()] ?? null },
	...(hasBody ? { body: { getReader: () => ({ read, cancel }) } } : {}),
	async text() {
		const bytes = [];
		for (let piece = await read(); !piece.done; piece = await read()) bytes.push(...piece.value);
		return decodeURIComponent(escape(String.fromCharCode(...bytes)));
	},
});

/** What has come and not been read, or who waits for more. */
function createPieces(stop) {
	const arrived = [];
	let waiting;
	const settle = (settleRead) => {
		arrived.push(settleRead);
		if (waiting === undefined) return;
		const wake = waiting;
		waiting = undefined;
		wake();
	};
	return {
		push: (value) => settle(() => ({ done: false, value })),
		end: () => settle(() => ({ done: true })),
		fail: (error) =>
			settle(() => {
				throw error;
			}),
		async read() {
			if (arrived.length === 0)
				await new Promise((resolve) => {
					waiting = resolve;
				});
			return arrived.shift()();
		},
		cancel: async () => stop(),
	};
}
