import { describe, expect, test } from "vitest";
import * as z from "zod";
import { checkInput } from "../../validation/check-input";
import { createTestApp, jsonPost, readError } from "../test-support/test-app";
import { readJson, readQuery } from "./read-json";

const schema = z.strictObject({
	name: z.string().min(1).max(5),
	size: z.int().min(1).optional(),
	kind: z.enum(["big", "small"]).optional(),
	list: z.array(z.strictObject({ title: z.string() })).optional(),
	place: z.union([z.strictObject({ town: z.string() }), z.strictObject({ lake: z.string() })]).optional(),
});

const { app } = createTestApp();
app.post("/read", async (context) => context.json(await readJson(context, schema, { maxBytes: 200 })));
app.get("/query", (context) =>
	context.json(readQuery(context, z.strictObject({ status: z.string().optional() }))),
);
const send = async (body: unknown, headers?: Record<string, string>) =>
	app.request("/read", jsonPost(body, headers));

test("gives what the schema makes of the body", async () => {
	const response = await send({ name: "Ada" });
	expect([response.status, await response.json()]).toEqual([200, { name: "Ada" }]);
});

test.each([
	[{}, "name", '"name" is missing.'],
	[{ name: 1 }, "name", '"name" must be a string, got a number.'],
	[{ name: "" }, "name", '"name" must not be empty.'],
	[{ name: "Grace Hopper" }, "name", '"name" must have at most 5 characters.'],
	[{ name: "A", size: 1.5 }, "size", '"size" must be a whole number, got a fraction.'],
	[{ name: "A", size: 0 }, "size", '"size" must be at least 1.'],
	[{ name: "A", kind: "huge" }, "kind", '"kind" must be one of "big", "small".'],
	[{ name: "A", list: {} }, "list", '"list" must be a list, got an object.'],
	[
		{ name: "A", list: [{ title: "" }, { title: null }] },
		"list[1].title",
		'"list[1].title" must be a string, got null.',
	],
	[{ name: "A", place: { town: 1 } }, "place.town", '"place.town" must be a string, got a number.'],
	[[], undefined, "The body must be an object, got a list."],
	["null", undefined, "The body must be an object, got null."],
])("refuses %j", async (body, param, message) => {
	const response = await send(body);
	expect(response.status).toBe(400);
	expect(await readError(response)).toMatchObject({
		code: "invalid_request",
		message,
		...(param !== undefined && { param }),
		details: { issues: [{ path: param ?? "" }] },
	});
});

test.each([
	[{ nam: "A" }, "nam", '"nam" is not a known field. Did you mean "name"?'],
	[
		{ name: "A", list: [{ titel: "" }] },
		"list[0].titel",
		'"list[0].titel" is not a known field. Did you mean "title"?',
	],
	[
		{ name: "A", zzzzzz: 1 },
		"zzzzzz",
		'"zzzzzz" is not a known field; the fields are name, size, kind, list, place.',
	],
])("names the unknown field of %j", async (body, param, message) => {
	expect(await readError(await send(body))).toMatchObject({ code: "unknown_field", param, message });
});

test("tells all that is wrong at once", async () => {
	const { details } = await readError(await send({ name: 1, size: "x", other: 1 }));
	expect(details).toEqual({
		issues: [
			{ path: "name", message: "must be a string, got a number." },
			{ path: "size", message: "must be a number, got a string." },
			expect.objectContaining({ path: "other" }),
		],
	});
});

test("repeats no value: it may be secret", async () => {
	const text = await (await send({ name: "A", kind: "s3cret", size: "s3cret" })).text();
	expect(text).not.toContain("s3cret");
});

test("says where the body stops being JSON", async () => {
	const response = await send('{"name": "A",\n "size": 1,}');
	expect(response.status).toBe(400);
	expect(await readError(response)).toMatchObject({
		code: "invalid_json",
		message: "The body is not JSON: a property name in double quotes is expected (line 2, column 12).",
		details: { position: 25, line: 2, column: 12 },
	});
});

test("refuses an empty body", async () => {
	expect(await readError(await send(""))).toMatchObject({ code: "invalid_json" });
});

test("refuses bytes that are no UTF-8", async () => {
	const body = new Uint8Array([0x22, 0xff, 0x22]);
	const response = await app.request("/read", { ...jsonPost(""), body });
	expect(await readError(response)).toMatchObject({
		code: "invalid_json",
		message: "The body is not UTF-8.",
	});
});

test.each(["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", ""])(
	"refuses the content type %j",
	async (type) => {
		const response = await send({ name: "A" }, { "content-type": type });
		expect([response.status, (await readError(response)).code]).toEqual([415, "unsupported_media_type"]);
	},
);

test.each(["application/json; charset=utf-8", "APPLICATION/JSON", "application/problem+json"])(
	"takes the content type %j",
	async (type) => {
		expect((await send({ name: "A" }, { "content-type": type })).status).toBe(200);
	},
);

test("a body that breaks off is no failure of the service", async () => {
	const body = new ReadableStream({ pull: (controller) => controller.error(new Error("aborted")) });
	const response = await app.request("/read", { ...jsonPost(""), body, duplex: "half" } as RequestInit);
	expect([response.status, (await readError(response)).message]).toEqual([
		400,
		"The request was closed before its body was complete.",
	]);
});

describe("a body that is too large", () => {
	const large = JSON.stringify({ name: "A".repeat(300) });
	test("is refused by its announced length", async () => {
		const response = await send(large, { "content-length": String(large.length) });
		expect([response.status, await readError(response)]).toMatchObject([
			413,
			{ code: "body_too_large", details: { max_bytes: 200 } },
		]);
	});
	test("is refused while it comes, and not read to its end", async () => {
		let pulled = 0;
		const body = new ReadableStream<Uint8Array>({
			pull(controller) {
				pulled += 1;
				controller.enqueue(new Uint8Array(100).fill(32));
			},
		});
		// Node asks for `duplex` with a stream; the type does not know it.
		const init = { ...jsonPost(""), body, duplex: "half" } as RequestInit;
		expect((await app.request("/read", init)).status).toBe(413);
		expect(pulled).toBeLessThan(10);
	});
});

describe("the query", () => {
	test("is read without limit and after", async () => {
		expect(await (await app.request("/query?status=ready&limit=3&after=x")).json()).toEqual({
			status: "ready",
		});
	});
	test("has no unknown parameters", async () => {
		expect(await readError(await app.request("/query?stats=ready"))).toMatchObject({
			code: "unknown_field",
			param: "stats",
			message: '"stats" is not a known field. Did you mean "status"?',
		});
	});
	test("has each parameter once", async () => {
		expect(await readError(await app.request("/query?status=a&status=b"))).toMatchObject({
			code: "invalid_request",
			param: "status",
		});
	});
});

test("tells of a hundred problems at the most, unknown fields first", () => {
	const input = { name: 1, list: [...new Array(500).fill({}), { titel: "" }] };
	const error = checkInputError(input);
	expect(error).toMatchObject({ code: "unknown_field", param: "list[500].titel" });
	expect(error.details.issues).toHaveLength(100);
});

function checkInputError(input: unknown): { details: { issues: unknown[] } } {
	try {
		checkInput(schema, input, "The body");
	} catch (error) {
		return error as { details: { issues: unknown[] } };
	}
	throw new Error("It was accepted.");
}
