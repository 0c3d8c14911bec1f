import { describe, expect, it } from "vitest";
import { assignFolders, parseDocsOption } from "./docs-option";

describe("parseDocsOption", () => {
	it.each([
		["./docs", undefined, "./docs"],
		["hr=./docs", "hr", "./docs"],
		["hr=C:\\a=b", "hr", "C:\\a=b"],
		["./a=b", undefined, "./a=b"],
	])("reads %s", (text, knowledgeBase, folder) => {
		expect(parseDocsOption(text)).toEqual({ knowledgeBase, folder });
	});

	it("refuses a name without a folder", () => {
		expect(() => parseDocsOption("hr=")).toThrow("--docs needs a folder");
	});
});

describe("assignFolders", () => {
	it("gives each knowledge base its own folder, else the common one", () => {
		const options = [parseDocsOption("./all"), parseDocsOption("hr=./hr")];
		expect(Object.fromEntries(assignFolders(["hr", "api"], options))).toEqual({ hr: "./hr", api: "./all" });
	});

	it("names knowledge bases without documents", () => {
		expect(() => assignFolders(["hr", "api"], [parseDocsOption("hr=./hr")])).toThrow(
			'"api", and no documents were given',
		);
	});

	it("names folders that nothing reads", () => {
		expect(() => assignFolders(["hr"], [parseDocsOption("./all"), parseDocsOption("hp=./x")])).toThrow(
			'no knowledge base named "hp"',
		);
		expect(() => assignFolders(["hr"], [parseDocsOption("./a"), parseDocsOption("./b")])).toThrow(
			"More than one --docs",
		);
	});

	it("ignores a common folder that no node needs", () => {
		expect(assignFolders([], [parseDocsOption("./all")]).size).toBe(0);
	});
});
