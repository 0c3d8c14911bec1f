import type { KnowledgeDocument, UploadProgress, UploadRequest } from "@stemma/client";

/** File on its way to the service. */
export interface UploadItem {
	readonly key: number;
	/** Path within a folder that was dropped, or the name of the file. */
	readonly name: string;
	readonly status: "waiting" | "uploading" | "uploaded" | "failed" | "cancelled";
	/** 0 to 1. */
	readonly share: number;
	readonly error?: unknown;
}

/** A file with its path within what was dropped. */
export interface DroppedFile {
	readonly file: File;
	readonly path: string;
}

/** Sends one file. */
export type SendFile = (
	request: UploadRequest,
	options: { readonly signal: AbortSignal; readonly onProgress: (progress: UploadProgress) => void },
) => Promise<{ readonly data: readonly KnowledgeDocument[] }>;

/** Uploads at the same time. */
const MAX_PARALLEL_UPLOADS = 2;

/** Sends files one after the other, each in a request of its own, so that one that is refused stops no other. */
export class UploadQueue {
	readonly #send: SendFile;
	readonly #onUploaded: () => void;
	readonly #listeners = new Set<() => void>();
	readonly #waiting: { readonly key: number; readonly dropped: DroppedFile }[] = [];
	readonly #controllers = new Map<number, AbortController>();
	#items: readonly UploadItem[] = [];
	#lastKey = 0;

	constructor(send: SendFile, onUploaded: () => void) {
		this.#send = send;
		this.#onUploaded = onUploaded;
	}

	readonly get = (): readonly UploadItem[] => this.#items;

	readonly subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	add(files: readonly DroppedFile[]): void {
		const items = files.map((dropped): UploadItem => {
			this.#lastKey += 1;
			this.#waiting.push({ key: this.#lastKey, dropped });
			return { key: this.#lastKey, name: dropped.path, status: "waiting", share: 0 };
		});
		this.#set([...this.#items, ...items]);
		this.#startNext();
	}

	cancel(key: number): void {
		const index = this.#waiting.findIndex((waiting) => waiting.key === key);
		if (index >= 0) this.#waiting.splice(index, 1);
		this.#controllers.get(key)?.abort();
		this.#update(key, { status: "cancelled" });
	}

	/** Takes what has ended off the list. */
	clear(): void {
		this.#set(this.#items.filter(({ status }) => status === "waiting" || status === "uploading"));
	}

	/** Cancels all. */
	close(): void {
		for (const { key, status } of this.#items)
			if (status === "waiting" || status === "uploading") this.cancel(key);
	}

	#startNext(): void {
		while (this.#controllers.size < MAX_PARALLEL_UPLOADS) {
			const next = this.#waiting.shift();
			if (next === undefined) return;
			void this.#upload(next.key, next.dropped);
		}
	}

	async #upload(key: number, { file, path }: DroppedFile): Promise<void> {
		const controller = new AbortController();
		const { signal } = controller;
		this.#controllers.set(key, controller);
		this.#update(key, { status: "uploading" });
		const onProgress = ({ loaded, total = file.size }: UploadProgress): void =>
			this.#update(key, { share: Math.min(1, loaded / Math.max(1, total)) });
		try {
			// The same file once more is a new version of its document.
			await this.#send({ file, name: file.name, source: path }, { signal, onProgress });
			this.#update(key, { status: "uploaded", share: 1 });
			this.#onUploaded();
		} catch (error) {
			if (!signal.aborted) this.#update(key, { status: "failed", error });
		} finally {
			this.#controllers.delete(key);
			this.#startNext();
		}
	}

	#update(key: number, changes: Partial<UploadItem>): void {
		this.#set(this.#items.map((item) => (item.key === key ? { ...item, ...changes } : item)));
	}

	#set(items: readonly UploadItem[]): void {
		this.#items = items;
		for (const listener of this.#listeners) listener();
	}
}
