import { extname } from "node:path";
import type { ExternalFormatName } from "@stemma/client";
import type { FetchLike } from "@stemma/routing/openai-compatible";
import { createWorkspaceQueue } from "../../fairness/workspace-queue";
import { createCommandReader } from "./command-reader";
import {
	type ConvertedFile,
	type ExternalFile,
	type ExternalReader,
	readerFailedError,
} from "./external-reader";
import type { ReaderConfiguration } from "./reader-configuration";
import { createServerReader } from "./server-reader";

/** The external readers of a deployment. They read a few files at once; workspaces take turns. */
export interface ExternalReaders {
	/** Format of a file by its name, else by its media type; undefined where no external reader takes it. */
	findFormat(fileName: string, mediaType?: string): ExternalFormatName | undefined;
	/**
	 * Turns a file into text, by the reader that its format names.
	 *
	 * @throws DocumentError `reader_failed`; the reason of `signal`.
	 */
	convert(format: ExternalFormatName, file: ExternalFile, options: ConvertOptions): Promise<ConvertedFile>;
	/** Ends what is being read, with a reason. */
	stop(reason: Error): void;
}

export interface ConvertOptions {
	readonly workspaceId: string;
	/** Awaited when it is the file's turn. */
	readonly onStart?: (() => Promise<void>) | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** Files that external readers read at once, of all workspaces. */
const MAX_CONCURRENT_FILES = 2;
const PREFIX = "reader:";

/** @param fetch - default: that of the platform. */
export function createExternalReaders(
	configurations: readonly ReaderConfiguration[],
	fetch: FetchLike = globalThis.fetch,
): ExternalReaders {
	const readers = new Map(configurations.map((reader) => [reader.name, createReader(reader, fetch)]));
	const byExtension = toNames(configurations, ({ extensions }) => extensions);
	const byMediaType = toNames(configurations, ({ mediaTypes }) => mediaTypes);
	const stopController = new AbortController();
	const queue = createWorkspaceQueue({
		concurrency: MAX_CONCURRENT_FILES,
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "documents",
	});
	return {
		findFormat(fileName, mediaType = "") {
			const [type = ""] = mediaType.split(";", 1);
			const name =
				byExtension.get(extname(fileName).toLowerCase().slice(1)) ??
				byMediaType.get(type.trim().toLowerCase());
			return name === undefined ? undefined : `${PREFIX}${name}`;
		},
		async convert(format, file, { workspaceId, onStart, signal }) {
			const name = format.slice(PREFIX.length);
			const reader = readers.get(name);
			if (reader === undefined) throw readerFailedError(name, "is no longer configured");
			return queue.run(
				workspaceId,
				async () => {
					await onStart?.();
					return reader.convert(file, stopController.signal);
				},
				{ signal },
			);
		},
		stop: (reason) => stopController.abort(reason),
	};
}

function createReader(reader: ReaderConfiguration, fetch: FetchLike): ExternalReader {
	const { via } = reader;
	return via.kind === "command" ? createCommandReader(reader, via) : createServerReader(reader, via, fetch);
}

const toNames = (
	readers: readonly ReaderConfiguration[],
	list: (reader: ReaderConfiguration) => readonly string[],
): ReadonlyMap<string, string> =>
	// The first reader of a format counts.
	new Map(readers.toReversed().flatMap((reader) => list(reader).map((key) => [key, reader.name])));
