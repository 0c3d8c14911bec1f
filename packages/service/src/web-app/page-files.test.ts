import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPageFiles } from "./page-files";
import { wantsPage } from "./wants-page";

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-web-app-"));
	await mkdir(join(folder, "app/assets"), { recursive: true });
	for (const name of [
		"app/index.html",
		"app/index.html.br",
		"app/index.html.gz",
		"app/assets/a-1.js",
		"secret.txt",
	])
		await writeFile(join(folder, name), name);
});
afterAll(() => rm(folder, { recursive: true }));

const open = () => findPageFiles(pathToFileURL(`${folder}/app/`));
const toText = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

describe("files of a page", () => {
	it("are not there where the service was built without it", () => {
		expect(findPageFiles(pathToFileURL(`${folder}/none/`))).toBeUndefined();
	});

	it.each([
		["gzip, deflate, br, zstd", "br"],
		["gzip", "gzip"],
		["br;q=0, gzip;q=0.5", "gzip"],
		["identity", undefined],
		[undefined, undefined],
	])("are sent as %j allows", async (accepted, encoding) => {
		const page = await open()?.readIndex(accepted);
		expect(page).toMatchObject({ type: "text/html; charset=utf-8", encoding });
		const ending = { br: ".br", gzip: ".gz" }[encoding ?? ""] ?? "";
		expect(toText(page?.bytes)).toBe(`app/index.html${ending}`);
	});

	it("are those of the build alone", async () => {
		const script = await open()?.readAsset("a-1.js", "br");
		expect([script?.type, script?.encoding]).toEqual(["text/javascript; charset=utf-8", undefined]);
		for (const name of ["b.js", "../index.html", "../../secret.txt", "", "__proto__"])
			expect(await open()?.readAsset(name, undefined)).toBeUndefined();
	});
});

it.each([
	["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
	["TEXT/HTML; charset=utf-8", true],
	["application/json", false],
	["*/*", false],
	["text/html;q=0, application/json", false],
	[undefined, false],
])("shows the page to %j: %s", (accept, isShown) => {
	expect(wantsPage(accept)).toBe(isShown);
});
