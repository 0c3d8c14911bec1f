import { findFormat } from "@stemma/documents";
import { parseOutboundAllow } from "../../../outbound/outbound-allow";
import { createOutboundGate } from "../../../outbound/outbound-gate";
import { createTestLookup, type TestNames } from "../../../outbound/test-support/test-lookup";
import { createSourceFetch } from "../../http/source-fetch";
import type { Connector, ScanContext, ScanLimits, SourceItem } from "../connector";
import { MAX_BODY_MS } from "../read-body";

/** Source whose connector runs over the real gate, and that remembers what a scan has found, as the service does. */
export interface TestSource<Settings> {
	/** Scans to the end, or to its error. */
	scan(settings?: Partial<Settings>): Promise<TestScan>;
	readonly context: ScanContext;
	/** Keys of the documents that there are now. */
	keys(): readonly string[];
	/** Text of a document. */
	text(key: string): string | undefined;
	close(): Promise<void>;
}

export interface TestScan {
	/** Each item as `<kind> <key>`, with its code. */
	readonly items: readonly string[];
	readonly found: readonly SourceItem[];
	/** Code of the error that ended it. */
	readonly error: string | undefined;
	readonly message: string | undefined;
}

export interface TestSourceOptions {
	readonly credential?: string;
	readonly limits?: Partial<ScanLimits>;
	/** Default true. */
	readonly allowLoopback?: boolean;
	/** Names that lead somewhere. */
	readonly names?: TestNames;
	readonly signal?: AbortSignal;
}

interface StoredItem {
	readonly version: string | null;
	readonly text: string;
}

export function createTestSource<Settings>(
	connector: Connector<Settings>,
	settings: Settings,
	options: TestSourceOptions = {},
): TestSource<Settings> {
	const { allowLoopback = true, names = {}, signal = new AbortController().signal } = options;
	const limits = { maxItems: 1_000, maxItemBytes: 1024 * 1024, maxItemMs: MAX_BODY_MS, ...options.limits };
	const { lookup } = createTestLookup(names);
	const gate = createOutboundGate({
		allow: parseOutboundAllow([]),
		allowLoopback,
		lookup,
		limits: { maxResponseBytes: 1024 ** 3 },
	});
	const fetch = createSourceFetch({ gate, maxBytes: limits.maxItemBytes, signal, maxRetryAfterMs: 1_000 });
	const stored = new Map<string, StoredItem>();

	let state: string | null = null;
	let nextState: string | null = null;
	let isUnchanged = false;

	const context: ScanContext = {
		get state() {
			return state;
		},
		setState(next) {
			nextState = next;
		},
		async markAllUnchanged() {
			isUnchanged = true;
		},
		find: async (key: string) => {
			const item = stored.get(key);
			return item && { key, version: item.version };
		},
		isDocument: (fileName, mediaType) => findFormat(fileName, mediaType) !== undefined,
		fetch,
		readCredential: async () => options.credential as undefined,
		limits,
		signal,
	};

	async function scan(changes: Partial<Settings> = {}): Promise<TestScan> {
		const found: SourceItem[] = [];
		nextState = null;
		isUnchanged = false;
		let error: { readonly code?: string; readonly message?: string } | undefined;
		try {
			for await (const item of connector.scan({ ...settings, ...changes }, context)) {
				found.push(item);
				if (item.kind === "skipped") stored.delete(item.key);
				if (item.kind === "content")
					stored.set(item.key, { version: item.version, text: await readText(item.bytes) });
			}
			const keys = new Set(found.map(({ key }) => key));
			if (isUnchanged) return { items: ["all unchanged"], found, error: undefined, message: undefined };
			for (const key of stored.keys()) if (!keys.has(key)) stored.delete(key);
			state = found.some(({ kind }) => kind === "failed" || kind === "skipped") ? null : nextState;
		} catch (thrown) {
			error = thrown as Error;
		}
		return {
			items: found.map(describe),
			found,
			error: error && (error.code ?? String(error)),
			message: error?.message,
		};
	}

	return {
		scan,
		context,
		keys: () => [...stored.keys()].sort(),
		text: (key) => stored.get(key)?.text,
		close: () => gate.close(),
	};
}

const describe = (item: SourceItem): string =>
	[item.kind, item.key, ...("code" in item ? [item.code] : [])].join(" ");

const readText = async (bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<string> =>
	new Response(bytes as Uint8Array<ArrayBuffer>).text();
