package report_test

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// open writes the page into a file and loads it.
func open(t *testing.T) *browser {
	t.Helper()
	b := newBrowser(t)
	file := filepath.Join(t.TempDir(), "placement.html")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := home(t, "taints.yaml").HTML(out); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	b.call("POST", "/url", map[string]string{"url": "file://" + file})
	return b
}

func (b *browser) want(script, want string) {
	b.t.Helper()
	if got := b.run(script); got != want {
		b.t.Errorf("%s\ngot  %s\nwant %s", script, got, want)
	}
}

const visibleRows = `return [...document.querySelectorAll("tbody tr")].filter((row) => !row.hidden).map((row) => row.cells[0].textContent).join("; ")`

func TestThePageInChromium(t *testing.T) {
	b := open(t)

	t.Run("asks nothing of any other place", func(t *testing.T) {
		b.want(`return performance.getEntriesByType("resource").length`, "0")
		b.want(`return document.querySelectorAll("[src], link, iframe, img").length`, "0")
	})
	t.Run("finds workloads by every word", func(t *testing.T) {
		b.press("/")
		b.want(`return document.activeElement.id`, "workloads")
		b.press("daemonset node-ex")
		b.want(visibleRows, "DaemonSet observability/node-exporter")
		b.want(`return document.getElementById("count").textContent`, "1 of 8 workloads, 5 of 5 columns")
		b.run(`document.getElementById("workloads").value = "nothing like it"; document.getElementById("filters").dispatchEvent(new Event("input"))`)
		b.want(visibleRows, "")
		b.want(`return document.getElementById("none").hidden`, "false")
		b.run(`document.getElementById("workloads").value = ""; document.getElementById("filters").dispatchEvent(new Event("input"))`)
	})
	t.Run("finds nodes by name and taint", func(t *testing.T) {
		b.run(`document.getElementById("nodes").value = "berth.dev/wsl"; document.getElementById("filters").dispatchEvent(new Event("input"))`)
		b.want(`return [...document.querySelectorAll("thead th")].filter((head) => !head.hidden).map((head) => head.textContent.trim().split(" ")[0]).join(" ")`, "Workload B")
		b.want(`return [...document.querySelectorAll("tbody tr:first-child > *")].filter((cell) => !cell.hidden).length`, "2")
		b.run(`document.getElementById("nodes").value = ""; document.getElementById("filters").dispatchEvent(new Event("input"))`)
	})
	t.Run("shows the rows that the edits move", func(t *testing.T) {
		b.run(`document.getElementById("rows").value = "moved"; document.getElementById("filters").dispatchEvent(new Event("input"))`)
		b.want(visibleRows, "DaemonSet kube-system/log-shipper; Deployment media/plex; DaemonSet observability/node-exporter")
		b.run(`document.getElementById("rows").value = ""; document.getElementById("filters").dispatchEvent(new Event("input"))`)
	})
	t.Run("is used by the keyboard alone", func(t *testing.T) { keyboard(b) })
	t.Run("says in words what its colours say", func(t *testing.T) {
		b.want(`return [...document.querySelectorAll("tbody td")].filter((cell) => !/^(yes|no|avoid|evict|\?|\d+s)(>.+)?$/.test(cell.textContent.trim())).length`, "0")
	})
	t.Run("is light or dark as the reader wants", func(t *testing.T) { schemes(b) })
}

// keyboard goes from the search by Tab to the first cell, by arrows to another, opens it and closes it.
func keyboard(b *browser) {
	b.t.Helper()
	b.call("POST", "/refresh", map[string]any{})
	b.run(`document.getElementById("rows").focus()`)
	b.press("Tab")
	b.want(`return document.activeElement.tagName + document.activeElement.cellIndex`, "TD1")
	b.press("Right", "Down", "Down", "Up")
	b.want(`return document.activeElement.cellIndex + " " + document.activeElement.parentNode.rowIndex`, "2 2")
	b.press("Enter")
	b.want(`return document.getElementById("reasons").open`, "true")
	b.want(`return document.getElementById("cell").textContent`, b.run(`return document.querySelectorAll("tbody th")[1].textContent`))
	if text := b.run(`return document.getElementById("list").textContent`); !strings.Contains(text, "berth.dev/wsl=flaky:NoSchedule") {
		b.t.Errorf("the reasons do not name the taint: %s", text)
	}
	b.press("Escape")
	b.want(`return document.getElementById("reasons").open`, "false")
	b.want(`return document.activeElement.cellIndex + " " + document.activeElement.parentNode.rowIndex`, "2 2")
	b.want(`return document.querySelectorAll("tbody td[tabindex]").length`, "1")
}

// schemes looks at what is painted: the paper is light or dark, and there is something on it.
func schemes(b *browser) {
	b.t.Helper()
	paper := map[string]uint32{}
	for _, name := range []string{"light", "dark"} {
		b.scheme(name)
		picture := b.screenshot()
		paper[name] = brightness(picture, 4, 4)
		if n := colours(picture); n < 30 {
			b.t.Errorf("%s: only %d colours are painted", name, n)
		}
	}
	if paper["light"] < 240 || paper["dark"] > 40 {
		b.t.Errorf("the paper is %v", paper)
	}
}

func brightness(picture image.Image, x, y int) uint32 {
	r, g, b, _ := picture.At(x, y).RGBA()
	return (r + g + b) / 3 >> 8
}

func colours(picture image.Image) int {
	seen := map[[3]uint32]bool{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			r, g, b, _ := picture.At(x, y).RGBA()
			seen[[3]uint32{r, g, b}] = true
		}
	}
	return len(seen)
}
