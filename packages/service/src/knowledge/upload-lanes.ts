import type { Database } from "../store/database";
import type { ReadUpload } from "./group-writes";
import type { KnowledgeTables } from "./knowledge-tables";
import { PUT_BACK, type ReturnedUpload } from "./put-back-job";
import type { TakeTurns } from "./take-turns";
import { TAKE_UPLOADS, type TakenUpload, type TakeUploadsInput } from "./take-uploads-job";

export interface UploadLanesOptions {
	readonly database: Database<KnowledgeTables>;
	readonly now: () => number;
	readonly turns: TakeTurns;
	/** Throws where what is read finds no room on the disk; nothing is taken then. */
	readonly assertRoom: () => void;
	/** Which uploads. */
	readonly withVectors: boolean;
	/** Those whose turn has not come. Default: none. */
	readonly listWaiting?: () => readonly number[];
	/** Reading may end the process, and until this has settled the uploads are to blame for it. */
	read(uploads: readonly TakenUpload[]): Promise<readonly ReadUpload[]>;
	store(read: readonly ReadUpload[], uploads: readonly TakenUpload[]): Promise<void>;
	/** Whether what was read is still to blame while it is stored. */
	readonly isBlamedForStoring: boolean;
	/** Nothing more is taken. */
	readonly signal: AbortSignal;
}

/** While one lane writes, the other reads. What is under way stays small, and so does the memory that it takes. */
const LANES = 2;
const BATCH = { maxDocuments: 200, maxBytes: 256 * 1024 };

export interface UploadLanes {
	/**
	 * Resolves when there are none left, and rejects when all lanes have ended and one of them failed: called again, it
	 * begins with what was not stored.
	 */
	drain(): Promise<void>;
	/** There may be more: a lane that has ended since {@link drain} was called begins again. */
	wake(): void;
}

/** Takes one kind of uploads through. */
export function createUploadLanes(options: UploadLanesOptions): UploadLanes {
	const { database, now, turns, withVectors, read, store, isBlamedForStoring, signal } = options;
	const { assertRoom, listWaiting = () => [] } = options;
	const running = new Set<Promise<void>>();
	const failures: unknown[] = [];
	let lastTaken = 0;

	async function hasMore(): Promise<boolean> {
		const more = await database.read
			.selectFrom("uploads")
			.select("number")
			.where("with_vectors", "=", withVectors ? 1 : 0)
			.where("number", ">", lastTaken)
			.where("number", "not in", listWaiting())
			.limit(1)
			.execute();
		return more.length > 0;
	}

	const take = (): Promise<readonly TakenUpload[]> =>
		turns.take(async () => {
			if (!(await hasMore())) return [];
			assertRoom();
			const input: TakeUploadsInput = {
				withVectors,
				after: lastTaken,
				except: listWaiting(),
				...BATCH,
				now: now(),
			};
			const taken = await database.writeJob<readonly TakenUpload[]>(TAKE_UPLOADS, input);
			lastTaken = taken.at(-1)?.number ?? lastTaken;
			return taken;
		});

	/** The process goes on, so that nothing is to blame. */
	async function fail(error: unknown, uploads: readonly TakenUpload[]): Promise<never> {
		const returned: readonly ReturnedUpload[] = uploads.map(({ number, attempts }) => ({ number, attempts }));
		// Where nothing can be written, reading them again writes nothing either.
		await database.writeJob<void>(PUT_BACK, returned).catch(() => undefined);
		throw error;
	}

	async function runLane(): Promise<void> {
		while (!signal.aborted) {
			const uploads = await take();
			if (uploads.length === 0) return;
			const reading = read(uploads);
			const storing = reading.then((result) => store(result, uploads)).catch((error) => fail(error, uploads));
			if (uploads.some(({ attempts }) => attempts > 0)) turns.holdFor(isBlamedForStoring ? storing : reading);
			await storing;
		}
	}

	function beginMissing(): void {
		while (running.size < LANES && failures.length === 0) {
			const lane: Promise<void> = runLane()
				.catch((error: unknown) => void failures.push(error))
				.finally(() => running.delete(lane));
			running.add(lane);
		}
	}

	return {
		async drain() {
			beginMissing();
			while (running.size > 0) await Promise.all(running);
			if (failures.length === 0) return;
			lastTaken = 0;
			throw failures.splice(0)[0];
		},
		wake() {
			if (running.size > 0) beginMissing();
		},
	};
}
