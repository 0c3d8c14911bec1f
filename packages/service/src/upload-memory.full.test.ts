import type { KnowledgeBase, SearchResult } from "@stemma/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenUpload, openUpload } from "./test-support/open-upload";
import type { SendRequest } from "./test-support/send-request";
import {
	makeDataFolder,
	removeDataFolder,
	type ServedProcess,
	serveProcess,
} from "./test-support/served-process";
import { getBody, waitUntilIndexed } from "./test-support/tenant";

const MEBIBYTE = 1024 * 1024;
/** Far from the 1 GiB of a small container. The service has about 150 without a request. */
const MAX_PEAK_MEBIBYTES = 512;
/** They alone are more than that. */
const FORMS = 24;
const UPLOAD_BYTES = 19 * MEBIBYTE;

let folder: string;
let served: ServedProcess;
let documents: string;
let other: SendRequest;
let otherBase: string;

/** A process has one peak in its life. */
beforeEach(async () => {
	folder = await makeDataFolder();
	served = await serveProcess(folder);
	documents = `/v1/knowledge-bases/${await addBase(served.send)}/documents`;
	other = await served.addWorkspace("other");
	otherBase = await addBase(other);
	const json = { text: "Harbours open at nine." };
	await getBody(other("POST", `/v1/knowledge-bases/${otherBase}/documents`, { json }));
	await waitUntilIndexed(other, otherBase);
});
afterEach(async () => {
	await served?.kill();
	await removeDataFolder(folder);
});

const addBase = async (send: SendRequest): Promise<string> =>
	(await getBody<KnowledgeBase>(send("POST", "/v1/knowledge-bases", { json: { name: "books" } }))).id;

/** Blank: there is nothing to read in it once it is stored. */
const BLANK = " ";
const FILE_PART = '--limit\r\ncontent-disposition: form-data; name="file"; filename="a.md"\r\n\r\n';

function open(type: string, head: string, filler = BLANK): OpenUpload {
	return openUpload({ url: served.url + documents, token: served.token, type, head, filler });
}

const openForm = (): OpenUpload => open("multipart/form-data; boundary=limit", FILE_PART);
const openJson = (source: string): OpenUpload => open("application/json", `{"source":"${source}","text":"`);

async function openUnfinishedForm(): Promise<OpenUpload> {
	const form = openForm();
	await form.write(UPLOAD_BYTES);
	return form;
}

async function expectOtherServed(): Promise<void> {
	const path = `/v1/knowledge-bases/${otherBase}`;
	await getBody(other("POST", `${path}/documents`, { json: { text: "A small page.", source: "small" } }));
	const json = { query: "harbours", knowledge_base_ids: [otherBase] };
	const found = await getBody<SearchResult>(other("POST", "/v1/search", { json }));
	expect(found.passages).toHaveLength(1);
	expect((await served.send("GET", "/healthz")).status).toBe(200);
}

describe.runIf(process.platform === "linux")("memory", () => {
	it("does not hold what unfinished forms have sent", async () => {
		const forms = await Promise.all(Array.from({ length: FORMS }, openUnfinishedForm));
		await expectOtherServed();
		expect(await served.readPeakMebibytes()).toBeLessThan(MAX_PEAK_MEBIBYTES);
		expect(await served.listSpool()).toHaveLength(FORMS);
		for (const form of forms) form.abort();
		await expect.poll(served.listSpool).toEqual([]);
	});

	it("does not hold whole uploads as JSON, beside unfinished forms", async () => {
		const forms = await Promise.all(Array.from({ length: 10 }, openUnfinishedForm));
		const texts = ["a", "b", "c", "d"].map(openJson);
		const answers = await Promise.all(
			texts.map(async (text) => {
				await text.write(UPLOAD_BYTES);
				return text.end('"}');
			}),
		);
		expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
		await expectOtherServed();
		expect(await served.readPeakMebibytes()).toBeLessThan(MAX_PEAK_MEBIBYTES);
		expect(await served.listSpool()).toHaveLength(forms.length);
		for (const form of forms) form.abort();
	});
});

it("an upload that was cut off by a kill leaves nothing behind", async () => {
	await openUnfinishedForm();
	expect(await served.listSpool()).toHaveLength(1);
	await served.kill();
	served = await serveProcess(folder);
	expect(await served.listSpool()).toEqual([]);
	expect(await getBody(served.send("GET", documents))).toMatchObject({ data: [] });
});

it("a flood of parts is refused before it is read", async () => {
	const flood = open("multipart/form-data; boundary=b", "--b", "\r\n--b");
	await flood.write(57_000_000);
	expect(await flood.answer).toMatchObject({
		status: 400,
		text: expect.stringContaining('"invalid_request"'),
	});
	expect(flood.written).toBeLessThan(20_000_000);
});
