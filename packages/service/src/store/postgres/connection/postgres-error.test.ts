import { expect, it } from "vitest";
import { ConstraintError, StorageError } from "../../storage-error";
import { isConnectionLost, isRetryable, toPostgresError } from "./postgres-error";

const failWith = (code: string): Error => Object.assign(new Error("It failed"), { code });

it.each([
	["53100", "storage_full"],
	["XX001", "storage_corrupt"],
	["53300", "storage_unavailable"],
	["55P03", "storage_unavailable"],
	["57014", "storage_unavailable"],
	["57P01", "storage_unavailable"],
	["08006", "storage_unavailable"],
	["25006", "storage_unavailable"],
	["28P01", "storage_unavailable"],
	["42501", "storage_unavailable"],
	["40P01", "storage_unavailable"],
	["ECONNREFUSED", "storage_unavailable"],
])("the code %s of Postgres or Node is %s", (code, expected) => {
	expect(toPostgresError(failWith(code))).toMatchObject({ code: expected });
	expect(toPostgresError(failWith(code))).toBeInstanceOf(StorageError);
});

it("a connection that broke or did not come is told as such, without a code", () => {
	for (const message of [
		"Connection terminated unexpectedly",
		"Client has encountered a connection error and is not queryable",
		"timeout exceeded when trying to connect",
		"Connection terminated due to connection timeout",
		"Client has encountered a connection error and is not queryable",
	])
		expect(toPostgresError(new Error(message))).toMatchObject({ code: "storage_unavailable" });
});

it("a rule of a table that was broken is a ConstraintError, another mistake keeps its message", () => {
	expect(toPostgresError(failWith("23505"))).toBeInstanceOf(ConstraintError);
	const mistake = toPostgresError(failWith("42P01"));
	expect(mistake).not.toBeInstanceOf(StorageError);
	expect(mistake.message).toBe("It failed");
});

it("a connection that was lost is told from a statement that failed", () => {
	for (const code of ["57P01", "08006", "ECONNRESET", "EPIPE"])
		expect(isConnectionLost(toPostgresError(failWith(code)))).toBe(true);
	for (const code of ["23505", "57014", "55P03"])
		expect(isConnectionLost(toPostgresError(failWith(code)))).toBe(false);
});

it("a transaction that failed for another one may be tried again", () => {
	expect(isRetryable(toPostgresError(failWith("40001")))).toBe(true);
	expect(isRetryable(toPostgresError(failWith("40P01")))).toBe(true);
	expect(isRetryable(toPostgresError(failWith("23505")))).toBe(false);
	expect(isRetryable(new Error("another"))).toBe(false);
});
