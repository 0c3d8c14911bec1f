import { beforeEach, expect, it } from "vitest";
import type { Knowledge } from "../knowledge";
import { openKnowledgeDatabase, startKnowledge } from "../test-support/memory-knowledge";

let knowledge: Knowledge;
beforeEach(async () => {
	knowledge = await startKnowledge(openKnowledgeDatabase());
});

/** A query, and documents of which the first is to be found first. */
type Case = readonly [name: string, query: string, ...documents: readonly string[]];

const cases: readonly Case[] = [
	["Thai", "เมืองหลวง", "กรุงเทพเป็นเมืองหลวงของประเทศไทย", "ข้าวผัดเป็นอาหารไทย", "แม่น้ำโขงไหลผ่านลาว"],
	["Thai figures", "ราคา 250 บาท", "ตั๋วราคา๒๕๐บาท", "ตั๋วราคา๙๐บาท", "ร้านปิดวันจันทร์"],
	["Lao", "ນະຄອນຫຼວງ", "ວຽງຈັນເປັນນະຄອນຫຼວງຂອງລາວ", "ເຂົ້າໜຽວເປັນອາຫານລາວ", "ແມ່ນ້ຳຂອງຍາວ"],
	["Khmer", "រាជធានី", "ភ្នំពេញគឺជារាជធានីនៃប្រទេសកម្ពុជា", "អង្គរវត្តជាប្រាសាទ", "ទន្លេមេគង្គវែង"],
	["Burmese", "မြို့တော်", "နေပြည်တော်သည်မြန်မာနိုင်ငံ၏မြို့တော်ဖြစ်သည်", "ဧရာဝတီမြစ်ရှည်သည်", "ထမင်းကြော်စားသည်"],
	["Chinese", "退款需要多久", "退款将在十四天内完成。", "我们的办公室在上海。", "密码可以在设置中更改。"],
	["Japanese", "梅雨の期間", "梅雨は六月から七月にかけての期間である。", "雪は冬に降る。", "桜は春に咲く。"],
	[
		"Korean",
		"환불 기간",
		"환불은 14일의 기간 안에 처리됩니다.",
		"사무실은 서울에 있습니다.",
		"비밀번호는 설정에서 바꿉니다.",
	],
	["Vietnamese tones", "thủ đô", "Hà Nội là thủ đô.", "Thù đó còn nặng.", "Thư đỗ ở cửa."],
	[
		"Vietnamese without tones",
		"tieng Viet",
		"Tiếng Việt có sáu thanh.",
		"Cơm rang là món ăn.",
		"Sông Hồng dài.",
	],
	[
		"Turkish dotless i",
		"ışık hızı",
		"IŞIK HIZI saniyede üç yüz bin kilometredir.",
		"İstanbul büyüktür.",
		"Kitap masada.",
	],
	[
		"Turkish capital",
		"istanbul",
		"İSTANBUL boğazın iki yanındadır.",
		"Ankara başkenttir.",
		"İzmir Ege'dedir.",
	],
	["Turkish forms", "evlerimizden", "Evlerimiz tepededir.", "Kitaplar masadadır.", "Deniz mavidir."],
	["Arabic article", "مدرسة", "تقع المدرسة في وسط المدينة.", "السيارة سريعة.", "البحر جميل."],
	["Arabic spellings", "احمد", "سافر أحمد إلى القاهرة.", "الطقس بارد.", "البيت كبير."],
	["Persian yeh", "كتابی", "کتابي روی میز است.", "هوا سرد است.", "رود بزرگ است."],
	["Hindi", "किताबें", "मेज पर किताबें रखी हैं।", "मौसम ठंडा है।", "कमरा बड़ा है।"],
	["Hindi vowels are no blanks", "कल", "कल बारिश होगी।", "काला कौआ उड़ा।", "किला पुराना है।"],
	["Russian forms", "книгами", "Книга лежит на столе.", "Погода холодная.", "Дом большой."],
	["Russian yo", "ёлка", "Елка стоит в углу.", "Погода холодная.", "Дом большой."],
	["Greek accents", "θάλασσα", "ΘΑΛΑΣΣΑ και ήλιος.", "Το σπίτι είναι μεγάλο.", "Ο καιρός είναι κρύος."],
	["Hebrew points", "שלום", "שָׁלוֹם עולם.", "הבית גדול.", "היום קר."],
	["German sharp s", "Strasse", "Die Straße ist gesperrt.", "Das Haus ist groß.", "Der Hund bellt."],
	[
		"German forms",
		"Häusern",
		"Das Haus hat viele Häuser nebenan.",
		"Der Hund bellt.",
		"Die Straße ist gesperrt.",
	],
	[
		"German compounds",
		"Kündigung",
		"Die Kündigungsfrist beträgt drei Monate.",
		"Die Miete ist am Ersten fällig.",
		"Haustiere sind erlaubt.",
	],
	[
		"parts of a German compound",
		"Datensicherung",
		"Die Sicherung der Daten läuft jede Nacht.",
		"Die Tür ist elektronisch gesichert.",
		"Daten werden nicht verkauft.",
	],
	[
		"forms of a short word",
		"الموظف",
		"يعمل الموظفون من المنزل يومين.",
		"تحفظ الملفات ثلاثين يوماً.",
		"تباع التذاكر في المحطة.",
	],
	[
		"French accents",
		"reglement",
		"Le règlement intérieur s'applique.",
		"La porte est fermée.",
		"Le chien aboie.",
	],
	[
		"a transposed typo",
		"refudns",
		"Refunds take 14 days.",
		"Offices open at nine.",
		"Gift cards never expire.",
	],
	[
		"a missing letter",
		"embeddngs",
		"Embeddings are vectors.",
		"Offices open at nine.",
		"Cards never expire.",
	],
	[
		"a doubled letter, without other words that are like it",
		"basiic",
		"The basic plan is free.",
		"The basin is full of basil.",
		"Nothing here.",
	],
	[
		"a word that passages have without its prefix",
		"how to reinstall the bugs",
		"We install bugs by hand.",
		"Offices open at nine and have bugs.",
		"Cards never expire.",
	],
	["a typo of a short word", "ceep", "Creep of metals.", "Offices open at nine.", "Cards never expire."],
	[
		"a typo in another form of a word",
		"встуипть",
		"Он вступил в партию.",
		"Погода холодная.",
		"Дом большой.",
	],
	["a typo in an article", "االعقوبة", "تطبق العقوبة على المخالف.", "السيارة سريعة.", "البحر جميل."],
	[
		"an identifier",
		"ERR_CONN_42",
		"The code ERR_CONN_42 is fatal.",
		"ERR of CONN in 42 places.",
		"ERR_CONN_43 is not.",
	],
	[
		"a version",
		"v2.3.1",
		"Released v2.3.1 today.",
		"Released v23.1 today.",
		"Released v2.1.3 today, 3 weeks late.",
	],
	["a section", "§ 12(3)", "See § 12(3) of the act.", "See § 3(12) of the act.", "See § 123 of the act."],
	["camel case", "max_old_space_size", "Set maxOldSpaceSize.", "The old one is big.", "Space is cold."],
	[
		"camel case in a query",
		"maxOldSpaceSize",
		"Set max_old_space_size.",
		"The old size, at max.",
		"Space is old.",
	],
	[
		"two words for one in camel case",
		"max retries",
		"Set maxRetries to 0 to switch them off.",
		"Set maxDelay to bound the waiting time.",
		"Offices open at nine.",
	],
	["a number", "10000", "At most 10,000 rows.", "At most 10 rows.", "000 is zero."],
];

it.each(cases)("finds %s", async (_, query, ...documents) => {
	const { id } = await knowledge.createKnowledgeBase({ name: "Cases" });
	await knowledge.addDocuments(
		id,
		documents.toReversed().map((content) => ({ content, format: "text", title: "Note" })),
	);
	await knowledge.waitUntilIdle();
	const [first] = await knowledge.search({ query, knowledge_base_ids: [id] });
	expect(first?.text).toBe(documents[0]);
});

it.each([
	[15, "Security bugs that are disclosed have a report."],
	[1, "Reporting, about bugs in security: a page."],
])("finds what a word negates, where %i passages have that", async (count, expected) => {
	const { id } = await knowledge.createKnowledgeBase({ name: "Negations" });
	const texts = [
		"Security bugs that are disclosed have a report.",
		"Undisclosed payments.",
		"Reporting, about bugs in security: a page.",
		...Array.from(
			{ length: 40 },
			(_, index) => `Page ${index} is ${index < count - 1 ? "disclosed" : "long"}.`,
		),
	];
	await knowledge.addDocuments(
		id,
		texts.toReversed().map((content) => ({ content, format: "text", title: "Note" })),
	);
	await knowledge.waitUntilIdle();
	const query = "what is the report for undisclosed security bugs";
	const found = await knowledge.search({ query, knowledge_base_ids: [id], top_k: 3 });
	expect(found.map(({ text }) => text).slice(0, 1)).toEqual([expected]);
});
