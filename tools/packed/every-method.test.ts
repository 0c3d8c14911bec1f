import { Stemma } from "@stemma/client";
import { expect, it } from "vitest";
import { calledMethods, listMethods } from "./scenarios/every-method.mjs";

it("there is a call for each method of the client, so that each platform tries it", () => {
	const stemma = new Stemma({ baseUrl: "https://service.example", clientKey: "ck_none" });
	const methods = listMethods(stemma);
	expect(methods).toContain("runs.shares.open");
	expect(methods.filter((name) => !calledMethods.includes(name))).toEqual([]);
});
