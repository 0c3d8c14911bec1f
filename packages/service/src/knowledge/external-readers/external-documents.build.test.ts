import { fileURLToPath } from "node:url";
import type { KnowledgeBase, SearchResult } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getBody } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";
import { uploadFile, waitUntilRead } from "../../test-support/upload-file";

const program = fileURLToPath(new URL("./test-support/program.mjs", import.meta.url));

let deployment: TestDeployment;
let send: TestWorkspace["send"];
let base: string;
beforeAll(async () => {
	deployment = await openTestDeployment(built, {
		readers: [
			{
				name: "drawings",
				extensions: ["dwg"],
				media_types: ["image/vnd.dwg"],
				command: [process.execPath, program, "path", "{file}"],
				output: "markdown",
			},
			{ name: "broken", extensions: ["brk"], command: [process.execPath, program, "fail"] },
		],
	});
	({ send } = await deployment.addWorkspace("a"));
	base = (await getBody<KnowledgeBase>(send("POST", "/v1/knowledge-bases", { json: { name: "b" } }))).id;
});
afterAll(() => deployment?.close());

it("reads a file that only an external reader takes, and keeps its text", async () => {
	const uploaded = await uploadFile(send, base, { name: "Plan.dwg", content: "The bridge has four arches." });
	const document = await waitUntilRead(send, uploaded);
	expect(document).toMatchObject({ format: "reader:drawings", status: "ready", title: "document.dwg" });
	const search = { query: "arches of the bridge", knowledge_base_ids: [base] };
	const { passages } = await getBody<SearchResult>(send("POST", "/v1/search", { json: search }));
	expect(passages[0]).toMatchObject({ document_id: document.id, text: "The bridge has four arches." });
	const { text } = await send("GET", `/v1/knowledge-bases/${base}/documents/${document.id}/text`);
	expect(text).toBe("# document.dwg\n\nThe bridge has four arches.");
});

it("takes a file by its media type where its name says nothing", async () => {
	const upload = { name: "plan", content: "By type.", type: "image/vnd.dwg" };
	const document = await waitUntilRead(send, await uploadFile(send, base, upload));
	expect(document).toMatchObject({ format: "reader:drawings", status: "ready" });
});

it("fails a document with what its reader says", async () => {
	const document = await waitUntilRead(send, await uploadFile(send, base, { name: "a.brk", content: "x" }));
	expect(document).toMatchObject({
		status: "failed",
		error: { code: "reader_failed", message: 'The reader "broken" ended with 3: The drawing is damaged.' },
	});
});
