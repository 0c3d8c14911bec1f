import { describe, expect, it } from "vitest";
import { toConnectionVariables } from "./connection-variables";

const read = (url: string, environment = {}, toolVersion = 16) =>
	toConnectionVariables(url, toolVersion, environment);

describe("the address of a database as variables", () => {
	it("has its parts as they are meant", () => {
		expect(read("postgres://app:a%20long%40password@db.example:5433/stem%20ma")).toEqual({
			PGHOST: "db.example",
			PGPORT: "5433",
			PGUSER: "app",
			PGPASSWORD: "a long@password",
			PGDATABASE: "stem ma",
			PGAPPNAME: "stemma",
		});
	});

	it("has a folder with a socket, an address of IPv6, or what its parameters say", () => {
		expect(read("postgres://app@%2Frun%2Fpostgresql/stemma").PGHOST).toBe("/run/postgresql");
		expect(read("postgres://app@[::1]/stemma").PGHOST).toBe("::1");
		expect(read("postgres:///stemma?host=/run/pg&user=app&password=x&port=6000")).toMatchObject({
			...{ PGHOST: "/run/pg", PGUSER: "app", PGPASSWORD: "x", PGPORT: "6000" },
		});
	});

	it("takes the host of the environment, else this machine", () => {
		expect(read("postgres:///stemma", { PGHOST: "db.example" }).PGHOST).toBe("db.example");
		expect(read("postgres:///stemma").PGHOST).toBe("localhost");
	});

	it.each(["require", "prefer", "verify-ca", "verify-full"])(
		"checks the server's certificate with sslmode=%s, as the service does",
		(mode) => {
			const url = `postgres://app@db.example/stemma?sslmode=${mode}`;
			expect(read(url)).toMatchObject({ PGSSLMODE: "verify-full", PGSSLROOTCERT: "system" });
			expect(read(url, {}, 15).PGSSLROOTCERT).not.toBe("system");
			expect(read(url, { PGSSLROOTCERT: "/own.pem" }).PGSSLROOTCERT).toBe("/own.pem");
			expect(read(`${url}&sslrootcert=/root.pem`).PGSSLROOTCERT).toBe("/root.pem");
		},
	);

	it("checks none where the service does not", () => {
		const url = "postgres://app@db.example/stemma";
		expect(read(`${url}?sslmode=no-verify`).PGSSLMODE).toBe("require");
		expect(read(`${url}?sslmode=disable`).PGSSLMODE).toBe("disable");
		expect(read(url).PGSSLMODE).toBeUndefined();
		expect(read(`${url}?sslmode=require&uselibpqcompat=true`).PGSSLMODE).toBe("require");
	});
});
