import type { DocumentFormatName, ExternalFormatName } from "@stemma/client";
import {
	DocumentError,
	findImageFormat,
	listOcrFolders,
	type OcrFiles,
	parseCrashedError,
	parseOutOfMemoryError,
	parseTimeoutError,
	textTooLargeError,
	type UploadContent,
} from "@stemma/documents";
import { createWorkspaceQueue } from "../../../fairness/workspace-queue";
import { WorkerFailure } from "../../../worker-threads/worker-failure";
import { createExternalReaders, type ExternalReaders } from "../../external-readers/external-readers";
import type { ReadContent } from "../group-writes";
import {
	countQuickProcesses,
	MAX_OCR_MS,
	MAX_QUICK_BYTES,
	QUICK_SEMI_SPACE_MEBIBYTES,
	toQuickMemoryMebibytes,
	toReadingLimitMs,
	toReadingMemoryMebibytes,
} from "./document-limits";
import { joinPieces } from "./join-pieces";
import {
	createReadingProcesses,
	type DocumentProcessResult,
	type DocumentReadOptions,
	type ReadOptions,
} from "./reading-processes";

/** A document as it was uploaded. */
export interface UploadedFile extends Omit<UploadContent, "format" | "isConverted"> {
	readonly format: DocumentFormatName;
}

/** Finds the format of a file by its name, else by its media type; undefined where it is not read. */
export type FindFormat = (fileName: string, mediaType?: string) => DocumentFormatName | undefined;

/** Reader of one workspace's documents. */
export interface DocumentReader {
	/** @throws DocumentError when the document cannot be read, for whatever reason; {@link ReaderStoppedError}. */
	read(upload: UploadedFile, options?: DocumentReadOptions): Promise<ReadContent>;
	/** Finds the format of files that are read by what the operator has added. Left out: nothing was. */
	readonly findAddedFormat?: FindFormat;
	/** Waits up to 3 s for the documents that are being read. Reading one after that throws {@link ReaderStoppedError}. */
	stop(): Promise<void>;
}

/**
 * Processes that read the documents of all workspaces, in turns. Most documents are read in the quick processes, of which one
 * workspace never takes all. Large documents, and those that take more time or memory than others of their size, are read
 * one at a time in the slow process. A hostile document harms itself only.
 */
export interface DocumentReaders {
	/** @throws as {@link DocumentReader.read}, and the reason of `signal` where it is aborted before the document's turn. */
	read(workspaceId: string, upload: UploadedFile, options?: ReadOptions): Promise<ReadContent>;
	/** Finds the format of files that external readers read, and of images where text recognition is installed. */
	readonly findAddedFormat: FindFormat;
	/** Waits up to 3 s for the documents that are being read. */
	stop(): Promise<void>;
}

/** The reader was stopped before the document was read; nothing is wrong with it. */
export class ReaderStoppedError extends Error {}

export interface DocumentReaderLimits {
	/** Time limit of a document by its size in bytes; the quick processes get half of it. Default: `toReadingLimitMs`. */
	readonly toLimitMs?: (bytes: number) => number;
	/** Heap of the slow process. Default: `toReadingMemoryMebibytes()`. */
	readonly memoryMebibytes?: number;
	/** Number of quick processes. Default: `countQuickProcesses()`. */
	readonly quickProcesses?: number;
}

export interface DocumentReaderOptions extends DocumentReaderLimits {
	/** Default: none. */
	readonly externalReaders?: ExternalReaders;
	/** Text recognition for images and scans. Default: none. */
	readonly ocr?: OcrFiles | undefined;
}

/** Part of its time limit that a document gets in a quick process. */
const QUICK_SHARE = 0.5;

/** Creates the readers of a service: what an external reader takes is read from what that makes of it. */
export function createDocumentReaders({
	externalReaders = createExternalReaders([]),
	ocr,
	...limits
}: DocumentReaderOptions = {}): DocumentReaders {
	const readers = createProcessReaders(limits, ocr);
	/** Attachments are read by whom they would be as uploads. */
	const withExternalFormats = ({ attachments, ...content }: ReadContent): ReadContent => ({
		...content,
		attachments: attachments.map(({ format, ...attachment }) => ({
			...attachment,
			format: externalReaders.findFormat(attachment.name, attachment.mediaType) ?? format,
		})),
	});
	return {
		findAddedFormat: (fileName, mediaType) =>
			externalReaders.findFormat(fileName, mediaType) ??
			(ocr && findImageFormat(fileName, mediaType)?.apiName),
		async read(workspaceId, { format, ...file }, options = {}) {
			if (!isExternalFormat(format))
				return withExternalFormats(await readers.read(workspaceId, { ...file, format }, options));
			const converted = await externalReaders.convert(format, file, { workspaceId, ...options });
			return readers.read(workspaceId, { ...file, ...converted, isConverted: true }, options);
		},
		async stop() {
			externalReaders.stop(new ReaderStoppedError());
			await readers.stop();
		},
	};
}

/** Readers of the formats that the service knows. */
interface ProcessReaders {
	read(workspaceId: string, upload: UploadContent, options: ReadOptions): Promise<ReadContent>;
	stop(): Promise<void>;
}

function createProcessReaders(limits: DocumentReaderLimits, ocr: OcrFiles | undefined): ProcessReaders {
	const { memoryMebibytes = toReadingMemoryMebibytes() } = limits;
	const textReaders = createTextReaders(limits, memoryMebibytes);
	const recognizing = ocr && createRecognizingReader(ocr, memoryMebibytes);
	const poisonQueue = createWorkspaceQueue({
		concurrency: 1,
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "documents",
	});

	const readAny: ProcessReaders["read"] = async (workspaceId, upload, options) => {
		if (recognizing === undefined) return textReaders.read(workspaceId, upload, options);
		if (upload.format === "image") return recognizing.read(workspaceId, upload, options);
		const leaving = { ...upload, leavesImagesToOcr: true };
		return textReaders.read(workspaceId, leaving, options).catch((error: unknown) => {
			if (!isOcrNeeded(error)) throw error;
			return recognizing.read(workspaceId, upload, options).catch((failure: unknown) =>
				// A file of which some pages have text is read without the others.
				textReaders.read(workspaceId, upload, options).catch(() => {
					throw failure;
				}),
			);
		});
	};

	return {
		read(workspaceId, upload, options) {
			const read = () => readAny(workspaceId, upload, options);
			return options.isPoisonCandidate ? poisonQueue.run(workspaceId, read, options) : read();
		},
		async stop() {
			await Promise.all([textReaders.stop(), recognizing?.stop()]);
		},
	};
}

/** Readers of all that has text. */
function createTextReaders(limits: DocumentReaderLimits, memoryMebibytes: number): ProcessReaders {
	const { toLimitMs = toReadingLimitMs, quickProcesses = countQuickProcesses() } = limits;
	const quick = createReadingProcesses({
		processes: quickProcesses,
		processesPerWorkspace: Math.max(1, quickProcesses - 1),
		memoryMebibytes: Math.min(toQuickMemoryMebibytes(), memoryMebibytes),
		semiSpaceMebibytes: QUICK_SEMI_SPACE_MEBIBYTES,
	});
	const slow = createReadingProcesses({
		processes: 1,
		processesPerWorkspace: 1,
		memoryMebibytes,
	});

	/** Tries a quick process. Nothing when the document takes more than it has there. */
	const readQuickly = async (
		workspaceId: string,
		upload: UploadContent,
		options: ReadOptions,
	): Promise<DocumentProcessResult | undefined> => {
		if (upload.bytes.length > MAX_QUICK_BYTES) return undefined;
		const limitMs = QUICK_SHARE * toLimitMs(upload.bytes.length);
		const reading = quick.read(workspaceId, upload, { ...options, limitMs });
		return reading.catch((error: unknown) => {
			if (error instanceof WorkerFailure && isRetryableInSlowProcess(error)) return undefined;
			throw error;
		});
	};

	return {
		async read(workspaceId, upload, options) {
			const limitMs = toLimitMs(upload.bytes.length);
			try {
				const answer =
					(await readQuickly(workspaceId, upload, options)) ??
					(await slow.read(workspaceId, upload, { ...options, limitMs }));
				return joinPieces(answer);
			} catch (error) {
				throw error instanceof WorkerFailure ? toReaderError(error, limitMs) : error;
			}
		},
		async stop() {
			await Promise.all([quick.stop(), slow.stop()]);
		},
	};
}

/** Reader of images and scans, in a process of its own: it takes seconds for each page. */
function createRecognizingReader(ocr: OcrFiles, memoryMebibytes: number): ProcessReaders {
	const processes = createReadingProcesses({
		processes: 1,
		processesPerWorkspace: 1,
		memoryMebibytes,
		readableFolders: listOcrFolders(ocr),
	});
	return {
		async read(workspaceId, upload, options) {
			try {
				const task = { ...options, limitMs: MAX_OCR_MS };
				return joinPieces(await processes.read(workspaceId, { ...upload, ocr }, task));
			} catch (error) {
				throw error instanceof WorkerFailure ? toReaderError(error, MAX_OCR_MS) : error;
			}
		},
		stop: processes.stop,
	};
}

const isOcrNeeded = (error: unknown): boolean =>
	error instanceof DocumentError && error.error.code === "needs_ocr";

/** Checks for the format of a document that an external reader reads. */
export const isExternalFormat = (format: DocumentFormatName): format is ExternalFormatName =>
	format.startsWith("reader:");

const isRetryableInSlowProcess = ({ reason }: WorkerFailure): boolean =>
	reason === "timeout" || reason === "out_of_memory";

function toReaderError({ reason, cause }: WorkerFailure, limitMs: number): Error {
	if (reason === "stopped") return new ReaderStoppedError();
	if (reason === "timeout") return parseTimeoutError(limitMs);
	if (reason === "too_much_output") return textTooLargeError();
	return reason === "out_of_memory" ? parseOutOfMemoryError() : parseCrashedError(cause);
}
