import { describeRows } from "./describeRows.ts";

describeRows("standard");
