import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";
import { afterEach, describe, expect, it } from "vitest";
import { type S3Simulator, startS3Simulator } from "./s3.ts";

const KEY = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" };
let store: S3Simulator | undefined;
afterEach(async () => {
	await store?.close();
	store = undefined;
});

async function get(path: string, secretAccessKey = KEY.secretAccessKey): Promise<Response> {
	store ??= await startS3Simulator({
		buckets: { docs: { "a b.md": { body: "text", contentType: "text/markdown" } } },
		credentials: [KEY],
	});
	const { host } = new URL(store.origin);
	const [pathname = "", search = ""] = path.split("?", 2);
	const signer = new SignatureV4({
		service: "s3",
		region: "us-east-1",
		credentials: { ...KEY, secretAccessKey },
		sha256: Sha256,
		uriEscapePath: false,
	});
	const { headers } = await signer.sign({
		method: "GET",
		protocol: "http:",
		hostname: host,
		path: pathname,
		query: Object.fromEntries(new URLSearchParams(search)),
		headers: { host },
	});
	return fetch(`${store.origin}${path}`, { headers });
}

describe("the stand-in for S3", () => {
	it("serves what Amazon's own signer has signed", async () => {
		const list = await get("/docs/?list-type=2&prefix=a");
		expect(await list.text()).toContain("<Key>a b.md</Key>");
		const object = await get("/docs/a%20b.md");
		expect([object.headers.get("content-type"), await object.text()]).toEqual(["text/markdown", "text"]);
		expect((await get("/docs/other.md")).status).toBe(404);
		expect((await get("/other/?list-type=2")).status).toBe(404);
	});

	it("refuses another secret, and no signature", async () => {
		const refused = await get("/docs/a%20b.md", "other");
		expect([refused.status, await refused.text()]).toEqual([
			403,
			expect.stringContaining("SignatureDoesNotMatch"),
		]);
		expect((await fetch(`${store?.origin ?? ""}/docs/a%20b.md`)).status).toBe(403);
	});
});
