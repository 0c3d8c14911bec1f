import { isStemmaError } from "@stemma/core/errors";
import type { ServiceRequest, StemmaClient, UploadProgress } from "../client";
import { canStreamRequests } from "../http/platform";
import { isRetryable } from "../http/retry";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { DocumentUpload } from "../types/knowledge/knowledge";
import { isStreamed } from "./upload-content";
import { toUploadForm } from "./upload-form";
import { toUploadParts, type UploadRequest } from "./upload-request";
import { READ_ONCE_HINT, UploadStream } from "./upload-stream";

/** Options of an upload, which is sent as a form or as a stream. */
export interface UploadOptions extends CallOptions {
	/**
	 * Receives how much of the whole request has been sent, in bytes; starts at the beginning with each try. The last
	 * call reports all of it. Where neither streams nor `XMLHttpRequest` can report progress, it is not called.
	 */
	readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Uploads may take longer than other calls, and are answered when they are whole. */
const UPLOAD_TIMEOUT_MS = 300_000;

/**
 * Uploads documents as a form, or, where that is needed and the platform can do it, as a stream that is made as it is
 * sent.
 */
export async function uploadDocuments(
	client: StemmaClient,
	path: string,
	request: UploadRequest,
	{ onProgress, ...options }: UploadOptions = {},
): Promise<WithRequestId<DocumentUpload>> {
	const parts = toUploadParts(request);
	const timeouts = {
		...options.timeouts,
		headersTimeoutMs:
			options.timeouts?.headersTimeoutMs ?? Math.max(client.timeouts.headersTimeoutMs, UPLOAD_TIMEOUT_MS),
	};
	const call: ServiceRequest = { method: "POST", path, options: { ...options, timeouts } };
	const needsStream = onProgress !== undefined || parts.files.some(({ content }) => isStreamed(content));
	if (needsStream && canStreamRequests())
		return sendStream(client, call, new UploadStream(parts, onProgress));
	const form = await toUploadForm(parts, { ...client.timeouts, ...timeouts }, options.signal);
	return client.request({ ...call, form, ...(onProgress && { onUploadProgress: onProgress }) });
}

async function sendStream(
	client: StemmaClient,
	call: ServiceRequest,
	stream: UploadStream,
): Promise<WithRequestId<DocumentUpload>> {
	try {
		return await client.request({ ...call, stream, retry: stream.isReadOnce ? "never" : "failed" });
	} catch (error) {
		if (stream.failed !== undefined) throw stream.failed.error;
		const isLost = stream.wasRetryNeeded || (stream.isReadOnce && isRetryable(error));
		if (isLost && isStemmaError(error))
			Object.assign(error, { hint: [error.hint, READ_ONCE_HINT].filter(Boolean).join(" ") });
		throw error;
	} finally {
		stream.close();
	}
}
