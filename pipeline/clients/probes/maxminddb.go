// golang-github-oschwald-maxminddb-golang-dev: maxminddb.go <file> <paths> <address>…
package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/oschwald/maxminddb-golang"
)

func text(value interface{}, path string) string {
	for _, key := range strings.Split(path, ".") {
		switch at := value.(type) {
		case map[string]interface{}:
			value = at[key]
		case []interface{}:
			index, err := strconv.Atoi(key)
			if err != nil || index >= len(at) {
				return ""
			}
			value = at[index]
		default:
			return ""
		}
	}
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

func main() {
	reader, err := maxminddb.Open(os.Args[1])
	if err == nil {
		for _, address := range os.Args[3:] {
			var record interface{}
			if err = reader.Lookup(net.ParseIP(address), &record); err != nil {
				break
			}
			texts := []string{}
			for _, path := range strings.Split(os.Args[2], ",") {
				texts = append(texts, text(record, path))
			}
			fmt.Println(strings.Join(texts, "\t"))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
