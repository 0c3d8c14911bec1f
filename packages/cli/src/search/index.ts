export { createWordIndex, type Hit, type WordIndex } from "./word-index";
