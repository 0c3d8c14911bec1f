import { expect, it } from "vitest";
import { toStorageError } from "../store/storage-error";
import { toUnavailableWorkspace } from "./unavailable-workspace";

it.each([
	["is locked", 5],
	["has a table that is locked", 6],
	["finds no memory", 7],
])("a workspace whose file %s is tried again, and nobody is told to delete it", (_, sqliteCode) => {
	const error = toStorageError({ message: "for a moment", sqliteCode }, "a.sqlite");
	const { problem, isTransient } = toUnavailableWorkspace("ws_a", error);
	expect({ code: problem.code, isTransient }).toEqual({ code: "storage_unavailable", isTransient: true });
	expect(problem.hint).not.toMatch(/delete|backup \(/);
});

it("a workspace that fails for an unknown reason is tried again, and is not called damaged", () => {
	const { problem, isTransient } = toUnavailableWorkspace("ws_a", new Error("a surprise"));
	expect({ code: problem.code, isTransient }).toEqual({ code: "workspace_unusable", isTransient: true });
	expect(problem.hint).not.toMatch(/delete|backup/);
});

it("a damaged workspace is not tried again", () => {
	const error = toStorageError({ message: "malformed", sqliteCode: 11 }, "a.sqlite");
	expect(toUnavailableWorkspace("ws_a", error)).toMatchObject({
		problem: { code: "storage_corrupt" },
		isTransient: false,
	});
});
