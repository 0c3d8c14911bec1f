import { ConfigurationError } from "@stemma/core/errors";
import { type CallTimeout, runWithTimeout } from "../http/call-timeout";
import type { Timeouts } from "../options/call-options";
import { readPart } from "./part-reader";
import { isStreamed } from "./upload-content";
import type { UploadPart, UploadParts } from "./upload-request";

/** A form for `fetch`. Streams are read whole before: it cannot send them. */
export async function toUploadForm(
	{ files, fields }: UploadParts,
	timeouts: Timeouts,
	signal: AbortSignal | undefined,
): Promise<FormData> {
	const form = new FormData();
	await runWithTimeout(timeouts, signal, async (callTimeout) => {
		for (const part of files) await appendFile(form, part, callTimeout);
	});
	for (const [name, value] of fields) form.append(name, value);
	return form;
}

async function appendFile(form: FormData, part: UploadPart, callTimeout: CallTimeout): Promise<void> {
	const { content, name, field } = part;
	if ("uri" in content)
		// React Native's forms read the file from its address.
		form.append("file", { ...content, name } as unknown as Blob);
	else if (ArrayBuffer.isView(content)) form.append("file", toBlob([content], field), name);
	else if (isStreamed(content)) form.append("file", toBlob(await readWhole(part, callTimeout), field), name);
	else form.append("file", content, name);
}

/** @throws ConfigurationError where that cannot be done: React Native. */
function toBlob(chunks: readonly Uint8Array[], field: string): Blob {
	try {
		return new Blob(chunks as Uint8Array<ArrayBuffer>[]);
	} catch (cause) {
		throw new ConfigurationError(`\`${field}\` has bytes, which this platform cannot put into a form.`, {
			hint: "In React Native, pass a file by its address: `{ uri, name, type }`.",
			cause,
		});
	}
}

async function readWhole(part: UploadPart, callTimeout: CallTimeout): Promise<readonly Uint8Array[]> {
	const chunks: Uint8Array[] = [];
	const { read, cancel } = readPart(part);
	try {
		for (;;) {
			const chunk = await callTimeout.wait(read());
			if (chunk === undefined) return chunks;
			chunks.push(chunk);
		}
	} finally {
		cancel();
	}
}
