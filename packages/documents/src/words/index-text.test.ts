import { expect, it } from "vitest";
import { toIndexText } from "./index-text";

it.each([
	["plain English stays", "plain English stays"],
	["Größe and naïve", "Grösse and naïve"],
	["梅雨期", " 梅雨 雨期 期 "],
	["API は便利", "API  は便 便利 利 "],
	["주소", " 주소 소 "],
	["ｆｕｌｌ　ｗｉｄｔｈ", "full width"],
	["𠮷野家", " 𠮷野 野家 家 "],
	["ที่นี่", " ที่นี่ นี่ "],
	["İstanbul, ısı", "istanbul, isi"],
	["والمدرسة", "مدرسه"],
	["१२ हिन्दी", "12 हिन्दी"],
	["tiếng Đức", "tiếng dức tie32ng d9u72c"],
	["ERR_CONN_42 and v2.3.1", "ERR_CONN_42 and v2.3.1"],
	["10,000 rows", "10,000 rows 10000"],
	["it’s a “naïve” – and „plain“ — text", "it’s a “naïve” – and „plain“ — text"],
	["½ of it’s 5²", "1⁄2 of it’s 52"],
	["it’s 梅雨期", "it’s  梅雨 雨期 期 "],
	["One. Two (three), 4, 5: six", "One. Two (three), 4, 5: six"],
])("writes %s as %s", (text, indexed) => {
	expect(toIndexText(text)).toBe(indexed);
});
