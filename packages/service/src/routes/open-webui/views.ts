import type { DocumentStatus, KnowledgeBase } from "@stemma/client";
import { type PushedFile, readFileName } from "../../sources/push/pushed-file";

/** Knowledge base as Open WebUI shows it. Times are epoch seconds. */
export const toKnowledgeView = (
	{ id, name, description, created_at, updated_at }: KnowledgeBase,
	files: readonly PushedFile[],
) => ({
	...{ id, name, description: description ?? "" },
	created_at: toSeconds(Date.parse(created_at)),
	updated_at: toSeconds(Date.parse(updated_at)),
	files: files.map(toFileView),
});

/** File as Open WebUI shows it. Times are epoch seconds. */
export const toFileView = (file: PushedFile) => ({
	id: file.id,
	filename: readFileName(file.key),
	hash: file.hash,
	meta: { name: file.key, size: file.size_bytes, file_hash: file.hash },
	data: toStatusView(file),
	created_at: toSeconds(file.created_at),
	updated_at: toSeconds(file.updated_at),
});

/** Status of a file as Open WebUI names it, with the reason of a failure. */
export const toStatusView = ({ status, error }: Pick<PushedFile, "status" | "error">) => ({
	status: STATUSES[status],
	...(error !== null && { error }),
});

const STATUSES: Readonly<Record<DocumentStatus, string>> = {
	queued: "pending",
	processing: "processing",
	ready: "completed",
	failed: "failed",
};

const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
