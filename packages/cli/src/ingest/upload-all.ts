import { basename } from "node:path";
import { type IngestWork, isAboutDocument, runStep } from "./ingest-work";
import { readDocument } from "./local-document";
import type { PlannedUpload } from "./plan-ingest";
import { retryWhileBusy } from "./retry-while-busy";
import { toBatches } from "./to-batches";

/** Uploads documents, several in a request. What is wrong with one of them does not keep back the others. */
export async function uploadAll(work: IngestWork, uploads: readonly PlannedUpload[]): Promise<void> {
	const alone: PlannedUpload[] = [];
	await runStep(work, {
		stage: "Uploading",
		items: toBatches(uploads),
		sourcesOf,
		work: (batch) =>
			upload(work, batch).catch((error: unknown) => {
				if (batch.length === 1 || !isAboutDocument(error)) throw error;
				// One of them is refused, and all with it.
				alone.push(...batch);
			}),
	});
	await runStep(work, {
		stage: "Uploading",
		items: alone.map((one) => [one]),
		sourcesOf,
		work: (one) => upload(work, one),
	});
}

const sourcesOf = (batch: readonly PlannedUpload[]): string[] => batch.map(({ document }) => document.source);

async function upload(
	{ knowledge, knowledgeBaseId, onBusy = () => undefined, signal }: IngestWork,
	batch: readonly PlannedUpload[],
): Promise<void> {
	const files = await Promise.all(
		batch.map(async ({ document }) => ({
			file: await readDocument(document),
			name: basename(document.file),
			source: document.source,
		})),
	);
	await retryWhileBusy(() => knowledge.documents.upload(knowledgeBaseId, { files }, { signal }), {
		onWait: onBusy,
		signal,
	});
}
