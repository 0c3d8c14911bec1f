import { describe, expect, it } from "vitest";
import { readDocument } from "../read-document";

const read = async (content: string, fileName: string) =>
	readDocument({ bytes: Buffer.from(content), format: "text", fileName, source: null });

const textsOf = async (content: string, fileName: string) =>
	(await read(content, fileName)).passages.map(({ place, text }) => [place.heading, text]);

const codeOf = (content: string, fileName: string): Promise<string> =>
	read(content, fileName).then(
		() => "",
		({ error }) => error.code,
	);

describe("JSON", () => {
	it("writes a small file as lines, with the digits that it has", async () => {
		const json =
			'{"name": "x", "version": 1.10, "id": 12345678901234567890, "on": true, "none": null, "a": {"b": [1, [2, 3]], "c.d": ""}}';
		expect(await textsOf(json, "a.json")).toEqual([
			[undefined, "name: x\nversion: 1.10\nid: 12345678901234567890\non: true\na.b: 1, [2, 3]"],
		]);
	});

	it("has keys as headings, records as tables, and long texts as paragraphs", async () => {
		const data = {
			title: "Handbook",
			about: `First. ${"Word ".repeat(60)}\n\nSecond paragraph.`,
			fees: [
				{ size: "S", fee: 5 },
				{ size: "L", fee: 7, tags: ["big", "rare"] },
			],
			shops: { bern: { street: "A".repeat(300), open: "9 to 5" }, ulm: { street: "B".repeat(900) } },
		};
		const { title } = await read(JSON.stringify(data), "a.json");
		expect(title).toBe("Handbook");
		const texts = await textsOf(JSON.stringify(data), "a.json");
		expect(texts.map(([heading]) => heading)).toEqual([undefined, "fees", "shops › bern", "shops › ulm"]);
		expect(texts[0]?.[1]).toMatch(/^title: Handbook\n\nabout: First\. Word .*\n\nSecond paragraph\.$/);
		expect(texts[1]?.[1]).toBe("size | fee | tags\nS | 5\nL | 7 | big, rare");
	});

	it("repeats the keys of records in each passage", async () => {
		const lines = Array.from({ length: 300 }, (_, id) =>
			JSON.stringify({ id, question: `Why ${id}?`, answer: "Because." }),
		);
		for (const name of ["a.jsonl", "a.ndjson", "a.json"]) {
			const texts = await textsOf(lines.join("\r\n"), name);
			expect(texts.length).toBeGreaterThan(3);
			for (const [, text] of texts)
				expect(text).toMatch(/^id \| question \| answer\n\d+ \| Why \d+\? \| Because\.\n/);
		}
	});

	it("has comments and trailing commas where people write them", async () => {
		expect(await textsOf('// why\n{"a": "b", /* x */ "c": [1, 2,],}', "tsconfig.json")).toEqual([
			[undefined, "a: b\nc: 1, 2"],
		]);
	});

	it("says where it stops being JSON", async () => {
		await expect(read('{"a": 1,\n "b": }', "a.json")).rejects.toThrow(/line 2, column 7/);
		await expect(read('{"a": 1}\nno', "a.jsonl")).rejects.toThrow(/line 2 is not JSON/);
	});
});

describe("YAML", () => {
	it("has values as they are written, aliases, and several documents", async () => {
		const yaml =
			"base: &b {tier: front, version: 1.10}\nweb: {<<: *b, on: yes, none: ~}\n---\nkind: Service\nscript: !Ref |\n  one\n  two\n";
		expect(await textsOf(yaml, "a.yml")).toEqual([
			[
				undefined,
				"base.tier: front\nbase.version: 1.10\nweb.tier: front\nweb.version: 1.10\nweb.on: yes\n\nkind: Service\nscript: one\ntwo",
			],
		]);
	});

	it("runs nothing", async () => {
		const yaml = 'a: !!js/function "function () { throw 1 }"\nb: !!python/object/apply:os.system ["id"]';
		expect((await textsOf(yaml, "a.yaml"))[0]?.[1]).toBe("a: function () { throw 1 }\nb: id");
	});
});

describe("XML", () => {
	it("has elements as keys, attributes, lists of elements, and markup among text as text", async () => {
		const xml = `<?xml version="1.0"?><rss version="2.0" xmlns:x="urn:x"><channel><title>News</title>
			<item><title>One</title><x:note lang="en">First &amp; <b>bold</b></x:note></item><item><title>Two</title></item></channel></rss>`;
		expect(await textsOf(xml, "a.xml")).toEqual([
			[undefined, "version: 2.0"],
			["channel", "title: News"],
			["channel › item", "title: One\nx:note: First & bold\nx:note.lang: en\n\ntitle: Two"],
		]);
	});
});

describe("hostile files", () => {
	const laughs = [
		"a: &a [lol, lol]",
		..."bcdefghijklmnopqrstuvwxyz"
			.split("")
			.map(
				(name, index) =>
					`${name}: &${name} [*${String.fromCharCode(97 + index)}, *${String.fromCharCode(97 + index)}]`,
			),
	];
	const longKeys = `${Array.from({ length: 90 }, (_, index) => `{"${String(index).repeat(100)}":`).join("")}[${'{"a":[1,{}],"b":{"c":1}},'.repeat(9_000)}0]${"}".repeat(90)}`;

	it.each([
		["nested arrays", "a.json", "[".repeat(100_000), "too_complex"],
		["nested arrays that end", "a.json", "[".repeat(100_000) + "]".repeat(100_000), "too_complex"],
		["too many values", "a.json", `[${"1,".repeat(500_001)}1]`, "too_complex"],
		["long keys above many values", "a.json", longKeys, "too_complex"],
		["prototype keys", "a.json", '{"__proto__": {"a": 1}, "constructor": 2}', ""],
		["nothing", "a.json", " ", "no_text"],
		["empty values", "a.json", '{"a": [], "b": {}, "c": null}', "no_text"],
		["aliases of aliases", "a.yaml", laughs.join("\n"), "too_complex"],
		["an alias of itself", "a.yaml", "a: &a [*a]", "too_complex"],
		["nested lists", "a.yaml", `${"- ".repeat(20_000)}a`, "too_complex"],
		["tabs", "a.yaml", "a:\n\t- b", "unreadable"],
		["entities", "a.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "unreadable"],
		[
			"an entity of a file",
			"a.xml",
			'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
			"unreadable",
		],
		["nested elements", "a.xml", `${"<a>".repeat(5_000)}x${"</a>".repeat(5_000)}`, "too_complex"],
		["elements that do not end", "a.xml", "<a><b></a>", "unreadable"],
	])("of %s (%s)", async (_, name, content, code) => {
		expect(await codeOf(content, name)).toBe(code);
	});
});
