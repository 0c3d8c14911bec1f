import { expect, it } from "vitest";
import { createRedactor } from "../redaction/redactor";
import { listSecrets } from "./list-secrets";
import { printConfiguration } from "./print-configuration";
import { resolveConfiguration } from "./resolve-configuration";

const URL = "postgres://app:a%20long%20password@db.example/stemma?sslmode=require";

it("a database comes from the file or from variables", () => {
	const content = { database: { url: URL, owner_url: "postgresql://owner@db.example/stemma", pool_size: 5 } };
	const { database } = resolveConfiguration({ content });
	expect(database?.backupUrl).toBeUndefined();
	expect(database?.url.reveal()).toBe(URL);
	expect(database?.ownerUrl?.reveal()).toBe("postgresql://owner@db.example/stemma");
	expect(database?.poolSize).toBe(5);
	const environment = { STEMMA_DATABASE_URL: URL, STEMMA_DATABASE_POOL_SIZE: "7" };
	const fromVariables = resolveConfiguration({ content, environment }).database;
	expect([fromVariables?.url.reveal(), fromVariables?.poolSize]).toEqual([URL, 7]);
	expect(resolveConfiguration({ environment: { STEMMA_DATABASE_URL: URL } }).database?.poolSize).toBe(20);
	expect(resolveConfiguration({}).database).toBeUndefined();
});

it("an address may name a folder with a socket", () => {
	const url = "postgres://app@%2Frun%2Fpostgresql/stemma";
	expect(resolveConfiguration({ content: { database: { url } } }).database?.url.reveal()).toBe(url);
});

it.each(["mysql://app@db.example/stemma", "db.example", "postgres://app@%E0%A4%A/stemma", ""])(
	"%j is no address of a database, and is not shown",
	(url) => {
		const resolve = () => resolveConfiguration({ content: { database: { url } } });
		expect(resolve).toThrow(/"database\.url" must be an address such as postgres:/);
		if (url !== "") expect(resolve).not.toThrow(url);
	},
);

it("passwords are masked where it is printed, and redacted in logs", () => {
	const content = {
		database: {
			url: `${URL}&password=another%20password`,
			owner_url: URL,
			backup_url: URL.replace("app:", "reader:"),
		},
	};
	const configuration = resolveConfiguration({ content });
	expect(JSON.parse(printConfiguration(configuration)).database).toEqual({
		url: "postgres://app:****@db.example/stemma?sslmode=require&password=****",
		owner_url: "postgres://app:****@db.example/stemma?sslmode=require",
		backup_url: "postgres://reader:****@db.example/stemma?sslmode=require",
		pool_size: 20,
	});
	const { redact } = createRedactor(listSecrets(configuration));
	expect(redact(`${URL} a long password another password`)).toBe("**** **** ****");
});
