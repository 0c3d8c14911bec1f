import type { PlannedUpload } from "./plan-ingest";

const MAX_BATCH_FILES = 16;
const MAX_BATCH_BYTES = 1_000_000;

/** Uploads that go in one request: small files together, because each request is a write of its own in the service. */
export function toBatches(uploads: readonly PlannedUpload[]): PlannedUpload[][] {
	const batches: PlannedUpload[][] = [];
	let bytes = 0;
	for (const upload of uploads) {
		const { size } = upload.document;
		const last = batches.at(-1);
		if (last === undefined || last.length === MAX_BATCH_FILES || bytes + size > MAX_BATCH_BYTES) {
			batches.push([upload]);
			bytes = size;
		} else {
			last.push(upload);
			bytes += size;
		}
	}
	return batches;
}
