"""Report pages in a real browser: drawn without an error, nothing asked of the network, every chart with its data
inside its axes, usable and accessible, and not to be broken by what the data say."""

import os
import random
import re
import unittest

import browser
import make_pages
from pages import PROGRAM, WithProgram, blocks, chart, page_json

AXE = os.path.join(os.environ.get("LACUNA_BUILD", "build"), "page", "node_modules", "axe-core", "axe.min.js")

# Every mark of a chart against the rectangle that its axes span, in pixels of the page.
INSIDE = """() => [...document.querySelectorAll('[data-chart]')].map(d => {
  const svg = d.querySelector('svg'), plot = d.querySelector('.role-frame > g > path.background, .background');
  if (!svg || !plot) return {chart: d.dataset.chart, marks: 0, outside: 0};
  const box = plot.getBoundingClientRect();
  let marks = 0, outside = 0;
  for (const group of d.querySelectorAll('.role-mark')) {
    if (group.classList.contains('mark-text')) continue;
    for (const mark of group.querySelectorAll(':scope > path, :scope > line, :scope > rect')) {
      const at = mark.getBoundingClientRect();
      const path = mark.getAttribute('d');
      if (path === '' || (!at.width && !at.height && !path && !mark.getAttribute('x2'))) continue;
      ++marks;
      const slack = 8;  // half a symbol or a stroke
      if (at.left < box.left - slack || at.right > box.right + slack || at.top < box.top - slack ||
          at.bottom > box.bottom + slack || /NaN|Infinity/.test(mark.outerHTML)) ++outside;
    }
  }
  return {chart: d.dataset.chart, marks, outside};
})"""


@unittest.skipIf(browser.why_not(), browser.why_not())
class Pages(WithProgram):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pages = {kind: make_pages.write_page(PROGRAM, kind, cls.folder) for kind in make_pages.KINDS}
        manager = browser.browser()
        cls.chromium = manager.__enter__()
        cls.addClassCleanup(manager.__exit__, None, None, None)
        cls.drawn = {}

    def seen(self, kind, width=1400):
        """A page for tests that change nothing: drawn once for all of them."""
        if (kind, width) not in self.drawn:
            self.drawn[kind, width] = browser.open_page(self.chromium, self.pages[kind], width=width)
        return self.drawn[kind, width]

    def write(self, name, data, *options, command="fit"):
        """A page of these data, for `seen` and `open`, with the kernel given."""
        with open(os.path.join(self.folder, name + ".csv"), "w", encoding="utf-8", newline="") as f:
            f.write(data)
        model = ["-o", name + ".lacuna"] if command == "fit" else []
        self.run_program(command, name + ".csv", *options, "-q", "--kernel", "rbf:theta=0.3", "--lambda", "0.1",
                         "--search", "none", "--report", name + ".html", *model)
        self.pages[name] = os.path.join(self.folder, name + ".html")

    def open(self, kind, **how):
        opened = browser.open_page(self.chromium, self.pages[kind], **how)
        self.addCleanup(opened.page.context.close)
        return opened

    def come_near(self, page, drawing):
        drawing.scroll_into_view_if_needed()
        drawing.locator("svg").wait_for(state="attached", timeout=20_000)

    def fits(self, page):
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)

    def accessible(self, page, whole):
        """No violation of any rule of axe-core. The insides of drawings, which readers of screens are told are images,
        take most of its time: they and contrast in the dark are looked at on pages that have every kind of block."""
        with open(AXE, encoding="utf-8") as f:
            page.evaluate(f.read())
        where = "document" if whole else "{exclude: [['.drawing svg']]}"
        run = (f"o => axe.run({where}, o).then(r => r.violations.map(v => "
               "[v.id, v.nodes.length, v.nodes[0].html.slice(0, 200)]))")
        self.assertEqual(page.evaluate(run, {}), [])
        if not whole:
            return
        page.emulate_media(color_scheme="dark")
        self.assertEqual(page.evaluate(run, {"runOnly": ["color-contrast"]}), [])
        page.emulate_media(color_scheme="light")

    def test_every_kind_is_drawn_accessible_without_error_or_request_and_with_data_inside_axes(self):
        for kind in make_pages.KINDS:
            with self.subTest(kind=kind):
                opened = self.seen(kind)
                self.assertEqual(opened.console, [])
                self.assertEqual(opened.requests, ["file://" + self.pages[kind]])
                drawn = opened.page.evaluate(INSIDE)
                wanted = [b["chart"] for _, b in blocks(page_json(self.pages[kind])) if b["kind"] == "chart"]
                self.assertEqual(sorted(d["chart"] for d in drawn), sorted(wanted))
                for d in drawn:
                    self.assertGreater(d["marks"], 0, d)
                    self.assertEqual(d["outside"], 0, d)
                self.assertLess(os.path.getsize(self.pages[kind]), 2_000_000)
                self.accessible(opened.page, kind in ("binary", "multi-class", "counts", "hostile", "evaluation"))
                print(f"{kind}: {len(drawn)} charts, ready in {opened.seconds:.2f} s, all there in "
                      f"{opened.all_drawn:.2f} s, "
                      f"{os.path.getsize(self.pages[kind]) // 1000} kB")
                self.assertLess(opened.seconds, 20)  # 2 s on a machine that does nothing else

    def test_an_axis_of_dates_has_dates(self):
        page = self.seen("one-column").page
        drawing = page.locator('[data-chart="fit"]').first
        self.come_near(page, drawing)
        marks = drawing.locator(".role-axis-label text").all_text_contents()
        self.assertLessEqual({"2022", "2023"}, set(marks), marks)
        self.assertFalse([mark for mark in marks if re.fullmatch(r"1[89],?\d{3}", mark)], marks)

    def test_the_slider_counts_and_prices(self):
        opened = self.open("binary")
        page = opened.page
        block = next(b for _, b in blocks(page_json(self.pages["binary"])) if b["kind"] == "threshold")
        slider = page.locator("input[type=range]")
        self.assertEqual(slider.input_value(), str(block["start"]))
        (tn, fp), (fn, tp) = page_json(self.pages["binary"])["fit"]["held_out"]["confusion"]
        shown = [page.locator(f"[data-count={name}]").inner_text() for name in ("tn", "fp", "fn", "tp")]
        self.assertEqual(shown, [f"{count:.6g}" for count in (tn, fp, fn, tp)])  # as the model itself decides
        for k in (20, 150):
            slider.fill(str(k))
            for name in ("tp", "fp", "fn", "tn"):
                self.assertEqual(page.locator(f"[data-count={name}]").inner_text(), str(int(block["cuts"][name][k])))
        page.locator("input[type=number]").nth(1).fill("7")
        cost = block["cuts"]["fp"][150] + 7 * block["cuts"]["fn"][150]
        self.assertIn(f"cost {cost:g}", page.locator("[data-cost]").inner_text().replace(",", ""))
        self.assertAlmostEqual(page.evaluate("document.querySelector('[data-chart=cuts]').vega.signal('cut')"),
                               block["cuts"]["cut"][150])
        slider.focus()
        page.keyboard.press("ArrowRight")
        self.assertEqual(slider.input_value(), "151")

    def test_the_slider_of_weighted_rows_tells_shares_and_costs_of_a_row(self):
        page = self.open("weights").page
        cuts = next(b for _, b in blocks(page_json(self.pages["weights"])) if b["kind"] == "threshold")["cuts"]
        self.assertIn("per cent of all rows, by weight", page.locator(".cut caption").inner_text())
        slider, all_rows = page.locator("input[type=range]"), sum(cuts[name][0] for name in ("tp", "fp", "fn", "tn"))
        page.locator("input[type=number]").nth(1).fill("7")
        costs = [(fp + 7 * fn) / all_rows for fp, fn in zip(cuts["fp"], cuts["fn"])]
        for k in (20, 150):
            slider.fill(str(k))
            for name in ("tp", "fp", "fn", "tn"):
                said = page.locator(f"[data-count={name}]").inner_text()
                self.assertTrue(said.endswith("%"))
                self.assertAlmostEqual(float(said[:-1]), 100 * cuts[name][k] / all_rows, delta=0.051)
            said = page.locator("[data-cost]").inner_text()
            self.assertIn("of the rows, by weight, are wrong", said)
            cost, least = re.findall(r"([-.\d]+) a row", said)
            self.assertAlmostEqual(float(cost), costs[k], delta=1e-3 * costs[k])
            self.assertAlmostEqual(float(least), min(costs), delta=1e-3 * min(costs))

    def test_prices_that_are_none_are_refused_and_nothing_is_priced(self):
        page = self.open("binary").page
        price, cost = page.locator("input[type=number]").nth(1), page.locator("[data-cost]")
        before = cost.inner_text()
        for nonsense in ("-1", "", "1e999", "1e308", "--", "e"):
            price.fill("")
            price.focus()
            page.keyboard.type(nonsense)
            self.assertEqual(price.get_attribute("aria-invalid"), "true", nonsense)
            self.assertIn("0 or more", page.locator(".refused").inner_text())
            self.assertNotIn("cost", cost.inner_text())
            self.assertIn("of the rows are wrong", cost.inner_text())
        price.fill("3")
        self.assertEqual(price.get_attribute("aria-invalid"), "false")
        self.assertEqual(page.locator(".refused").inner_text(), "")
        self.assertEqual(cost.inner_text(), before)

    def test_a_class_has_one_colour_everywhere_and_its_legend_is_whole(self):
        legends = """() => [...document.querySelectorAll('[data-chart]')].map(d => {
          const box = d.getBoundingClientRect();
          const entries = [...d.querySelectorAll('.role-legend-entry .role-scope > g')];
          return {chart: d.dataset.chart, entries: entries.map(g => {
            const text = g.querySelector('text'), mark = g.querySelector('path[fill], path[stroke]');
            const at = text.getBoundingClientRect(), paint = getComputedStyle(mark);
            return {name: text.textContent, whole: at.right <= box.right + 1 && at.left >= box.left - 1,
                    colour: paint.stroke === 'none' || paint.strokeWidth === '0px' ? paint.fill : paint.stroke};
          }).filter(e => !/^[-\u2212]?[0-9.]+$/.test(e.name))};
        }).filter(d => d.entries.length)"""
        for width in (400, 1400):
            for kind in ("irises", "multi-class"):
                page = self.seen(kind, width).page
                colours, seen = {}, page.evaluate(legends)
                self.assertGreater(len(seen), 3)
                for chart in seen:
                    for entry in chart["entries"]:
                        self.assertTrue(entry["whole"], (kind, width, chart))
                        if chart["chart"] != "map":  # which has shapes
                            name = entry["name"].split(":")[0]
                            self.assertEqual(colours.setdefault(name, entry["colour"]), entry["colour"], chart)
                        self.assertNotIn("\u2026", entry["name"])

    def assert_apart_and_whole(self, drawing, texts, slack=1.0):
        """No text of this drawing lies on another one or reaches over its edges; returns the words."""
        boxes, edges = drawing.evaluate("""(d, texts) => [
          [...d.querySelectorAll(texts)].filter(t => t.textContent && getComputedStyle(t).opacity !== '0').map(t => {
            const at = t.getBoundingClientRect();
            return [t.textContent, at.left, at.right, at.top, at.bottom];
          }), (({left, right, top, bottom}) => [left, right, top, bottom])(d.getBoundingClientRect())]""", texts)
        for k, (a, left, right, top, bottom) in enumerate(boxes):
            self.assertTrue(left >= edges[0] - slack and right <= edges[1] + slack and top >= edges[2] - slack and
                            bottom <= edges[3] + slack, (a, left, right, top, bottom, edges))
            for b, *at in boxes[:k]:
                self.assertTrue(right <= at[0] + slack or at[1] <= left + slack or bottom <= at[2] + slack or
                                at[3] <= top + slack, (a, b))
        return [box[0] for box in boxes]

    def test_names_of_classes_are_whole_and_do_not_lie_on_one_another(self):
        rng = random.Random(1)
        many = [[rng.gauss(i % 30, 0.3), rng.gauss(0, 1), f"class {i % 30}"] for i in range(240)]
        self.write("many-classes", make_pages.table(["a", "b", "t"], many), "--target", "t")
        hostile, options = make_pages.data_of("hostile")
        self.write("judged", hostile, *options, "--splits", "folds:3", "--model", "klr", "--journal", "none",
                   command="evaluate")
        for width in (400, 1400):
            for kind in ("long-classes", "many-classes", "judged"):
                with self.subTest(width=width, kind=kind):
                    confusion = self.seen(kind, width).page.locator("[data-chart=confusion]")
                    words = self.assert_apart_and_whole(confusion, ".role-axis-label text, .role-axis-title text", 3)
                    self.assertIn("called", words)
                    self.assertGreater(len(words), 5)

    def test_names_that_javascript_has_a_meaning_for_are_drawn(self):
        rng = random.Random(5)
        names = ("__proto__", "constructor", "valueOf")
        rows = [[rng.gauss(2 * (i % 3), 1), rng.gauss(0, 1), names[i % 3]] for i in range(60)]
        self.write("magic", make_pages.table(["x", "__proto__", "t"], rows), "--target", "t")
        opened = self.seen("magic")
        self.assertEqual(opened.console, [])
        self.assertEqual(opened.page.locator("[data-chart=confusion] .mark-rect.role-mark > path").count(), 9)

    def test_years_have_no_separator_and_six_digits_no_exponent(self):
        self.write("houses", make_pages.houses(), "--target", "price")
        for width in (400, 1400):
            page = self.seen("houses", width).page
            marks = page.locator(".role-axis-label text").all_text_contents()
            self.assertFalse([mark for mark in marks if re.fullmatch(r"\D?[1-9],\d{3}", mark)])
            self.assertTrue({"1960", "2000"} & set(marks), marks)
            self.assertIn("100,000", marks)
            self.assertFalse([mark for mark in marks if re.search(r"\de\+?\d$", mark)], marks)
            for drawing in page.locator("[data-chart=leverage], [data-chart=surface]").all():
                self.assert_apart_and_whole(drawing, ".role-axis-title text")
        page.locator("#trust summary").first.click()
        cells = page.locator("#trust tbody td, #rows tbody td").all_inner_texts()
        self.assertFalse([cell for cell in cells if re.search(r"e\+", cell)])

    def test_the_legend_of_the_criterion_has_marks_that_stand_apart(self):
        for kind in ("binary", "regression", "irises", "counts"):
            for width in (400, 1400):
                for drawing in self.seen(kind, width).page.locator("[data-chart=surface]").all():
                    marks = self.assert_apart_and_whole(drawing, ".role-legend-label text", 0)
                    self.assertGreater(len(marks), 1, (kind, width))
                    bar, first = (drawing.locator(of).first.bounding_box()["x"]
                                  for of in (".role-legend-gradient", ".role-legend-label text"))
                    self.assertLess(abs(bar - first), 10, (kind, width))

    def test_tables_sort_and_search(self):
        page = self.open("binary").page
        section = page.locator("#rows")
        column = section.locator("thead th").all_inner_texts().index("loss")
        button = section.locator("thead th button").nth(column)
        cells = lambda: [float(t.replace("\u2212", "-")) for t in
                         section.locator(f"tbody tr > :nth-child({column + 1})").all_inner_texts()]
        button.click()
        self.assertEqual(cells(), sorted(cells(), reverse=True))
        button.click()
        self.assertEqual(cells(), sorted(cells()))
        every = len(cells())
        section.locator("input[type=search]").fill("wrong")
        self.assertTrue(0 < len(cells()) < every)
        self.assertIn(f"of {every} rows", section.locator("[role=status]").inner_text())
        section.locator("input[type=search]").fill("no row says this")
        self.assertEqual(cells(), [])

    def test_every_chart_has_a_description_and_its_numbers(self):
        page = self.seen("binary").page
        figures = page.locator("figure")
        self.assertGreater(figures.count(), 6)
        for k in range(figures.count()):
            figure = figures.nth(k)
            self.assertGreater(len(figure.locator("figcaption p").inner_text()), 20)
            figure.locator("summary").click()
            figure.locator("tbody tr").first.wait_for(state="attached", timeout=10_000)  # made when it is opened

    def test_what_the_data_say_cannot_script_or_break_the_page(self):
        opened = self.seen("hostile")
        page = opened.page
        self.assertEqual(opened.console, [])
        self.assertIsNone(page.evaluate("window.hacked ?? null"))
        self.assertEqual(page.evaluate("document.querySelectorAll('script, img, svg [onload], b').length"), 0)
        self.fits(page)
        self.assertIn("<script>window.hacked", page.inner_text("body"))

    def test_the_policy_refuses_other_scripts_and_requests(self):
        page = self.open("three-rows").page
        refused = page.evaluate("""() => new Promise(done => {
          const seen = [];
          document.addEventListener('securitypolicyviolation', e => { seen.push(e.effectiveDirective);
            if (seen.length === 3) done(seen.sort()); });
          const script = document.createElement('script'); script.textContent = 'window.ran = 1';
          document.body.append(script);
          const image = document.createElement('img'); image.src = 'http://127.0.0.1:9/x.png';
          document.body.append(image);
          fetch('http://127.0.0.1:9/').catch(() => 0);
        })""")
        self.assertEqual(refused, ["connect-src", "img-src", "script-src-elem"])
        self.assertIsNone(page.evaluate("window.ran ?? null"))

    def test_charts_are_drawn_when_they_come_near_and_all_of_them_for_print(self):
        page = self.open("forty-columns", never_idle=True).page
        without = "document.querySelectorAll('.drawing:not(:has(svg))').length"
        all_charts = page.locator(".drawing").count()
        waiting = page.evaluate(without)
        self.assertGreater(waiting, all_charts / 2)
        rows = page.locator("#rows tbody tr")
        self.assertEqual(rows.count(), 40)  # the others are there when somebody looks for them
        page.locator("#rows input[type=search]").fill("yes")
        self.assertGreater(rows.count(), 40)
        last = page.locator(".drawing").last
        self.come_near(page, last)
        self.assertTrue(0 < page.evaluate(without) < waiting)
        page.pdf()
        page.wait_for_function(f"{without} === 0", timeout=20_000)
        self.assertEqual(page.evaluate(f"({INSIDE})().filter(d => d.outside || !d.marks).length"), 0)

    def test_on_paper_no_column_of_a_table_is_cut_off(self):
        for kind in ("binary", "forty-columns", "hostile", "evaluation"):
            with self.subTest(kind=kind):
                page = self.open(kind, width=680).page  # A4 less its margins
                page.emulate_media(media="print")
                wider = "t => [...t].filter(t => t.scrollWidth > t.parentElement.clientWidth + 1).length"
                self.assertEqual(page.locator(".scroll > table").evaluate_all(wider), 0)
                self.assertEqual(page.locator("tbody tr:first-child th.number:visible").evaluate_all(
                    "t => [...t].filter(c => getComputedStyle(c).whiteSpace !== 'nowrap').length"), 0)
                self.fits(page)

    def test_heads_of_long_tables_are_on_every_sheet_and_what_is_left_out_is_said(self):
        page = self.open("forty-columns").page
        page.emulate_media(media="print")
        head = page.locator("#rows thead")
        self.assertEqual(head.evaluate("t => [getComputedStyle(t).display, getComputedStyle(t).breakInside]"),
                         ["table-header-group", "avoid"])
        # Chromium repeats a head without the words of its buttons.
        self.assertEqual(head.locator("button").first.evaluate("b => getComputedStyle(b).display"), "contents")
        said = page.locator("#rows p.paper")
        self.assertTrue(said.is_visible())
        self.assertIn("the first 40 of 150 rows and the first 14 of", said.inner_text())

    def test_a_cut_chosen_before_its_chart_is_drawn_is_the_cut_it_shows(self):
        page = self.open("binary", never_idle=True, width=400).page
        self.assertEqual(page.locator("[data-chart=cuts] svg").count(), 0)
        page.evaluate("""() => { const s = document.querySelector('input[type=range]'); s.value = 40;
                                 s.dispatchEvent(new Event('input')); }""")
        self.come_near(page, page.locator("[data-chart=cuts]"))
        self.assertAlmostEqual(page.evaluate("document.querySelector('[data-chart=cuts]').vega.signal('cut')"),
                               chart(page_json(self.pages["binary"]), "cuts")["cuts"]["cut"][40])

    def test_options_and_words_of_commands_are_not_broken_at_their_hyphens(self):
        page = self.seen("binary", 400).page
        lines = "w => [...w].map(e => e.getClientRects().length)"
        self.assertEqual(set(page.locator(".option").evaluate_all(lines)), {1})
        self.assertIn("--report", page.locator("pre .word").all_inner_texts())

    def test_a_narrow_screen_needs_no_sideways_scrolling(self):
        for kind in ("binary", "multi-class", "irises", "counts", "forty-columns", "stack", "hostile", "evaluation"):
            with self.subTest(kind=kind):
                page = self.seen(kind, 400).page
                self.fits(page)


if __name__ == "__main__":
    unittest.main()
