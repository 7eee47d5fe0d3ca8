// golang-github-oschwald-geoip2-golang-dev: geoip2.go <file> <method> <address>…
package main

import (
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/oschwald/geoip2-golang"
)

// Its structures have zero for an absent value.
func text(value interface{}) string {
	switch value {
	case uint(0), float64(0), false:
		return ""
	}
	return fmt.Sprint(value)
}

func values(reader *geoip2.Reader, method string, ip net.IP) ([]interface{}, error) {
	switch method {
	case "city":
		found, err := reader.City(ip)
		if err != nil {
			return nil, err
		}
		region := ""
		if len(found.Subdivisions) > 0 {
			region = found.Subdivisions[0].Names["en"]
		}
		return []interface{}{found.Country.IsoCode, region, found.City.Names["en"], found.Location.Latitude}, nil
	case "country":
		found, err := reader.Country(ip)
		if err != nil {
			return nil, err
		}
		country := found.Country
		return []interface{}{country.IsoCode, country.Names["en"], found.Continent.Code, found.RegisteredCountry.IsoCode}, nil
	case "asn":
		found, err := reader.ASN(ip)
		if err != nil {
			return nil, err
		}
		return []interface{}{found.AutonomousSystemNumber, found.AutonomousSystemOrganization}, nil
	case "isp":
		found, err := reader.ISP(ip)
		if err != nil {
			return nil, err
		}
		return []interface{}{found.ISP, found.Organization, found.AutonomousSystemNumber}, nil
	}
	found, err := reader.AnonymousIP(ip)
	if err != nil {
		return nil, err
	}
	return []interface{}{found.IsAnonymous, found.IsHostingProvider, found.IsTorExitNode}, nil
}

func main() {
	reader, err := geoip2.Open(os.Args[1])
	if err == nil {
		for _, address := range os.Args[3:] {
			var found []interface{}
			if found, err = values(reader, os.Args[2], net.ParseIP(address)); err != nil {
				break
			}
			texts := []string{}
			for _, value := range found {
				texts = append(texts, text(value))
			}
			fmt.Println(strings.Join(texts, "\t"))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
