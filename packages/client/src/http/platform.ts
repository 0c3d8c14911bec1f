import { abortReason } from "@stemma/core/internal";

/** Platform features of the environment. Each one is read only when it is needed. */
interface Platform {
	readonly process?: {
		readonly env?: Readonly<Record<string, string | undefined>>;
		readonly versions?: { readonly node?: string; readonly undici?: string };
	};
	readonly navigator?: { readonly product?: string; readonly userAgent?: string };
	readonly window?: unknown;
	readonly document?: unknown;
	readonly WorkerGlobalScope?: unknown;
	readonly Deno?: unknown;
	readonly Bun?: unknown;
	readonly Response?: { readonly prototype: object };
	readonly ReadableStream?: unknown;
	readonly XMLHttpRequest?: new () => XMLHttpRequest;
	readonly fetch?: Fetch;
	readonly crypto?: Pick<Crypto, "getRandomValues">;
}

const platform: Platform = globalThis;

/** Part of `fetch` that is used: the platform's, or a compatible one such as `expo/fetch`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
	method: string;
	headers: Record<string, string>;
	body?: string | FormData | ReadableStream<Uint8Array>;
	/** Streams are sent with it alone. */
	duplex?: "half";
	signal: AbortSignal;
	/** Elsewhere, credentials would go along. */
	redirect: "manual" | "error";
}

export interface FetchResponse {
	/** `opaqueredirect` for a redirect in a browser, which shows no more of it. */
	readonly type?: string;
	readonly status: number;
	readonly ok: boolean;
	/** Final address after redirects; empty or missing where the platform does not report it. */
	readonly url?: string;
	readonly headers: { get(name: string): string | null };
	/** Missing where bodies cannot be read piece by piece: React Native's own `fetch`. */
	readonly body?: { getReader(): BodyReader } | null;
	text(): Promise<string>;
}

export interface BodyReader {
	read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | string | undefined }>;
	cancel(): Promise<void>;
}

/** The platform's `fetch` as it is now: tests and instrumentation replace it. */
export const platformFetch = (): Fetch | undefined => platform.fetch;

/** Checks whether the platform's `fetch` returns bodies piece by piece. React Native's does not. */
export const canStreamBodies = (): boolean =>
	platform.Response !== undefined && "body" in platform.Response.prototype;

/**
 * Checks whether request bodies can be streamed. Where there is `XMLHttpRequest` (browsers, React Native), `fetch`
 * cannot do it, or only over HTTP/2.
 */
export const canStreamRequests = (): boolean =>
	platform.ReadableStream !== undefined && platform.XMLHttpRequest === undefined;

/**
 * Redirect mode of a request with a streamed body. Node.js keeps a second copy of the whole body unless redirects are
 * errors. Other platforms behave differently with that setting, and Cloudflare Workers refuse it.
 */
export const redirectModeForStreams = (): FetchInit["redirect"] =>
	platform.process?.versions?.undici === undefined ? "manual" : "error";

/** The platform's `XMLHttpRequest`: pages, their workers, React Native. */
export const platformXmlHttpRequest = (): (new () => XMLHttpRequest) | undefined => platform.XMLHttpRequest;

/** A variable of the environment, where there is one. Deno may forbid to look. */
export function readEnvironment(name: string): string | undefined {
	try {
		return platform.process?.env?.[name];
	} catch {
		return undefined;
	}
}

/** Returns the name of a runtime in which people can read what a program holds, else `undefined`. */
export function publicRuntime(): string | undefined {
	const { navigator, window, document, WorkerGlobalScope, Deno, Bun } = platform;
	if (navigator?.product === "ReactNative") return "React Native";
	if (typeof window === "object" && typeof document === "object") return "a browser page";
	if (WorkerGlobalScope === undefined || Deno !== undefined || Bun !== undefined) return undefined;
	return navigator?.userAgent === "Cloudflare-Workers" ? undefined : "a worker of a browser page";
}

interface AbortListener {
	readonly callbacks: Set<(reason: unknown) => void>;
	onAbort(): void;
}

/** One listener for all that wait for a signal: older Node.js warns of more than ten. */
const abortListeners = new WeakMap<AbortSignal, AbortListener>();

/** Calls back with the reason when a signal is aborted, at once if it is; what it returns stops listening. */
export function whenAborted(
	signal: AbortSignal | undefined,
	callback: (reason: unknown) => void,
): () => void {
	if (signal?.aborted) callback(abortReason(signal));
	if (signal === undefined || signal.aborted) return () => undefined;
	const { callbacks, onAbort } = abortListeners.get(signal) ?? addAbortListener(signal);
	callbacks.add(callback);
	return () => {
		if (!callbacks.delete(callback) || callbacks.size > 0) return;
		abortListeners.delete(signal);
		signal.removeEventListener("abort", onAbort);
	};
}

function addAbortListener(signal: AbortSignal): AbortListener {
	const callbacks: AbortListener["callbacks"] = new Set();
	const onAbort = (): void => {
		for (const callback of callbacks) callback(abortReason(signal));
	};
	const listener = { callbacks, onAbort };
	abortListeners.set(signal, listener);
	signal.addEventListener("abort", onAbort);
	return listener;
}

/** Unpredictable bytes; `undefined` where there is no `crypto.getRandomValues`: Node 18, React Native. */
export const platformRandomBytes = (length: number): Uint8Array | undefined =>
	platform.crypto?.getRandomValues(new Uint8Array(length));

/** 32 hexadecimal characters that no one else has. */
export function createIdempotencyKey(): string {
	const random = platformRandomBytes(16) ?? new Uint8Array(16).map(() => Math.random() * 256);
	return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
