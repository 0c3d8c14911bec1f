import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { DocumentError, parseCrashed, parseOutOfMemory, parseTimeout } from "./document-error";
import type { DocumentThreadAnswer } from "./document-thread";
import type { DocumentContent, UploadContent } from "./upload-content";

/** Reads documents in a thread of its own, one at a time: a hostile one harms itself only. */
export interface DocumentReader {
	/** @throws DocumentError when the document cannot be read, for whatever reason. */
	read(upload: UploadContent): Promise<DocumentContent>;
	/** Waits a little for the document that is being read. Reading one after that throws {@link ReaderStopped}. */
	stop(): Promise<void>;
}

/** The reader was stopped before the document was read; nothing is wrong with it. */
export class ReaderStopped extends Error {}

export interface DocumentReaderLimits {
	/** For one document. Default 30 s. */
	readonly timeoutMs?: number;
	/** Default 512. */
	readonly memoryMebibytes?: number;
}

const IDLE_MS = 5_000;
const STOP_GRACE_MS = 3_000;

export function createDocumentReader(limits: DocumentReaderLimits = {}): DocumentReader {
	const { timeoutMs = 30_000, memoryMebibytes = 512 } = limits;
	let worker: Worker | undefined;
	let turn: Promise<unknown> = Promise.resolve();
	let idle: NodeJS.Timeout | undefined;
	let isStopped = false;

	function start(): Worker {
		const started = new Worker(new URL("./document-thread.js", import.meta.url), {
			name: "documents",
			// Not those of the process: some are for its main script alone.
			execArgv: [],
			resourceLimits: { maxOldGenerationSizeMb: memoryMebibytes, maxYoungGenerationSizeMb: 16 },
		});
		started.once("exit", () => {
			if (worker === started) worker = undefined;
		});
		// Whoever waits for an answer is told below; without this, an error after it would end the process.
		started.on("error", () => undefined);
		return started;
	}

	async function end(): Promise<void> {
		const ended = worker;
		worker = undefined;
		await ended?.terminate();
	}

	function scheduleEnd(): void {
		idle = setTimeout(() => void end(), IDLE_MS);
		idle.unref();
	}

	async function readNow(upload: UploadContent): Promise<DocumentContent> {
		if (isStopped) throw new ReaderStopped();
		clearTimeout(idle);
		worker ??= start();
		try {
			const answer = await ask(worker, upload, timeoutMs);
			if ("error" in answer) throw new DocumentError(answer.error);
			return answer.content;
		} catch (error) {
			if (error instanceof ThreadLost) {
				await end();
				throw isStopped ? new ReaderStopped() : error.reason;
			}
			throw error;
		} finally {
			scheduleEnd();
		}
	}

	return {
		read(upload) {
			const reading = turn.then(() => readNow(upload));
			turn = reading.catch(() => undefined);
			return reading;
		},
		async stop() {
			isStopped = true;
			await Promise.race([turn, wait(STOP_GRACE_MS, undefined, { ref: false })]);
			clearTimeout(idle);
			await end();
		},
	};
}

/** The thread cannot be used any more. */
class ThreadLost extends Error {
	readonly reason: DocumentError;

	constructor(reason: DocumentError) {
		super(reason.message);
		this.reason = reason;
	}
}

/** What owns its memory moves to the thread instead of being copied; nobody needs it here any more. */
const toTransferList = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
	buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];

function ask(worker: Worker, upload: UploadContent, timeoutMs: number): Promise<DocumentThreadAnswer> {
	return new Promise((resolve, reject) => {
		const lose = (reason: DocumentError) => settle(() => reject(new ThreadLost(reason)));
		const timer = setTimeout(() => lose(parseTimeout(timeoutMs)), timeoutMs);
		const onMessage = (answer: DocumentThreadAnswer) => settle(() => resolve(answer));
		const onError = (error: Error & { code?: string }) =>
			lose(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? parseOutOfMemory() : parseCrashed(error));
		const onExit = () => lose(parseCrashed());
		function settle(finish: () => void): void {
			clearTimeout(timer);
			worker.off("message", onMessage).off("error", onError).off("exit", onExit);
			finish();
		}
		worker.on("message", onMessage).on("error", onError).on("exit", onExit);
		worker.postMessage(upload, toTransferList(upload.bytes));
	});
}
