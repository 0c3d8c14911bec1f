import { expect, it } from "vitest";
import { toIndexText } from "./index-text";

it.each([
	["plain English stays", "plain English stays"],
	["Größe and naïve", "Größe and naïve"],
	["梅雨期", " 梅雨 雨期 期 "],
	["API は便利", "API  は便 便利 利 "],
	["주소", " 주소 소 "],
	["ｆｕｌｌ　ｗｉｄｔｈ", "full width"],
	["𠮷野家", " 𠮷野 野家 家 "],
])("writes %s as %s", (text, indexed) => {
	expect(toIndexText(text)).toBe(indexed);
});
