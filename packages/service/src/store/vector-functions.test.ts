import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { assertVectorSearch, canSearchVectors, loadVectorFunctions } from "./vector-functions";

it("gives a connection functions for vectors, and lets nothing else be loaded after that", () => {
	const database = new DatabaseSync(":memory:", { allowExtension: true });
	loadVectorFunctions(database);
	const toBytes = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);
	const { distance } = database
		.prepare("SELECT vec_distance_cosine(?, ?) AS distance")
		.get(toBytes(1, 0), toBytes(0, 1)) ?? { distance: undefined };
	expect(distance).toBeCloseTo(1);
	expect(() => database.loadExtension("anything")).toThrow(/not allowed/);
	expect(() => database.exec("SELECT load_extension('anything')")).toThrow(/not authorized/);
	database.close();
});

it("says whether vectors can be searched here, and what to do where they cannot", () => {
	expect(canSearchVectors()).toBe(true);
	assertVectorSearch();
	const { arch } = process;
	const setArch = (value: string) => {
		Object.defineProperty(process, "arch", { value });
		syncBuiltinESMExports();
	};
	setArch("mips");
	try {
		expect(canSearchVectors()).toBe(false);
		expect(assertVectorSearch).toThrow(/"embeddings" is configured, but .*mips/);
	} finally {
		setArch(arch);
	}
});
